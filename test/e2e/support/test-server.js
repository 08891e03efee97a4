// Its types need those of the Workers runtime, which contradict those of the browser that other files here need.
export { createFolder, startTestServer } from '../../server/support/server.ts'
