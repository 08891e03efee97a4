/** The size of every large preview picture, which all services show uncropped. */
export const PICTURE_WIDTH = 1200
export const PICTURE_HEIGHT = 630
