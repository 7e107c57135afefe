export default {
  '/api/wf': { target: process.env.ROUTESLIP_PROXY ?? 'http://127.0.0.1:8090', secure: false },
}
