import postgres from 'postgres'

/**
 * The smallest program that reads records from PostgreSQL: the driver, one prepared statement, one `Response`. Its
 * argument is the address of the database.
 */
const sql = postgres(process.argv[2] ?? '', { max: 8, fetch_types: false })
const headers = new Headers({ 'Content-Type': 'application/json' })

const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  development: false,
  routes: {
    '/api/v2/video/:id': {
      async GET(request) {
        const [row] = await sql.unsafe('SELECT body FROM record WHERE id = $1', [request.params.id], { prepare: true })
        return row === undefined ? new Response(null, { status: 404 }) : new Response(row.body, { headers })
      },
    },
  },
  fetch: () => new Response(null, { status: 404 }),
})
console.log(`http://127.0.0.1:${server.port}`)
