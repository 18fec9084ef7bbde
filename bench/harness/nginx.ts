import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Answer } from './answer.ts'
import type { Peer } from './peer.ts'

/** nginx with one worker, which serves a file of the same bytes with the same headers. */
export function toNginx(parent: string, answer: Answer): Peer {
  const program = Bun.which('nginx', { PATH: `${process.env.PATH}:/usr/sbin` })
  if (program === null) return { name: 'nginx', absence: 'absent: not installed', command: null }
  const folder = join(parent, 'nginx')
  mkdirSync(folder)
  const file = join(folder, 'record')
  writeFileSync(file, answer.body)
  return {
    name: 'nginx',
    absence: '',
    command(port) {
      writeFileSync(join(folder, 'nginx.conf'), toConfiguration(port, folder, file, answer.head))
      return { words: [program, '-p', folder, '-e', join(folder, 'error.log'), '-c', join(folder, 'nginx.conf')] }
    },
  }
}

function toConfiguration(port: number, folder: string, file: string, head: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder};`)
  return `daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
${process.getuid?.() === 0 ? 'user root;' : ''}
events { worker_connections 1024; }
http {
  ${temporary.join(' ')}
  access_log off;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000000;
  open_file_cache max=100;
  etag off;
  server {
    listen 127.0.0.1:${port};
    location = /api/v2/video/1 {
      alias ${file};
      types {}
      ${toDirectives(head).join('\n      ')}
    }
  }
}
`
}

/** All headers except those that nginx adds to every response. */
function toDirectives(head: string): string[] {
  return head.split('\r\n').flatMap((line, i) => {
    const [name = '', value = ''] = line.split(/: (.*)/)
    if (i === 0 || /^(?:date|content-length|connection)$/i.test(name)) return []
    const quoted = `'${value.replaceAll("'", "\\'")}'`
    return /^content-type$/i.test(name) ? [`default_type ${quoted};`] : [`add_header ${name} ${quoted};`]
  })
}
