/**
 * Returns a TCP port of this machine for a server that cannot choose one itself and report it. The port is below those that
 * systems give to connections and to listeners without a port of their own. So none of them takes it before the server starts, or
 * while the server restarts.
 */
export function freePort(): Promise<number>
