/** What the client uses of a response. A part of a page is one too. */
export type ProxyResponse = Pick<Response, 'ok' | 'status' | 'headers' | 'json'>
