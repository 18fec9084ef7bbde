/** The least that serves: what any Bun program pays for its start. On the given port. */
Bun.serve({
  hostname: '127.0.0.1',
  port: Number(process.argv[2]),
  development: false,
  routes: { '/api/v2/video/:id': { GET: () => new Response('{}') } },
  fetch: () => new Response(null, { status: 404 }),
})
