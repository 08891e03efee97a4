/** Hidden field that carries the path to go to after signing in. */
export const ReturnField = ({ path }: { path: string }) => <input type="hidden" name="return" value={path} />
