/** The least that serves: what any Bun program pays for its start. */
const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  development: false,
  routes: { '/api/v2/video/:id': { GET: () => new Response('{}') } },
  fetch: () => new Response(null, { status: 404 }),
})
console.log(`http://127.0.0.1:${server.port}`)
