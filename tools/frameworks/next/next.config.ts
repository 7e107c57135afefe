import type { NextConfig } from 'next'

const proxy = process.env['ROUTESLIP_PROXY'] ?? 'http://127.0.0.1:8090'

const config: NextConfig = {
  rewrites: async () => [{ source: '/api/wf/:path*', destination: `${proxy}/api/wf/:path*` }],
}

export default config
