import { spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../../test/free-port.mjs'
import { endAll, until, watch } from '../../../test/cli/proxy-command.ts'

// WordPress with MariaDB, PHP-FPM and nginx: processes of the test, with all data in a temporary folder.

export interface WordPress {
  /**
   * Address without a trailing slash. The cookie `test_limits` chooses smaller limits of uploads: `php` (files of 2 MB, forms of
   * 4 MB) or `server` (1 MB in nginx).
   */
  readonly url: string
  /** Address of a second server of the same site, which streams uploads as docs/wordpress.md shows. */
  readonly streaming: string
  readonly folder: string
  /** Runs PHP in the site, or in the site of a network with this path, and returns what it prints. */
  readonly php: (code: string, path?: string) => string
  /** Returns the largest amount of memory that a process of PHP has used, in bytes. */
  readonly memoryOfPhp: () => number
  readonly close: () => Promise<void>
}

/** A policy as strict as WordPress itself allows: its themes have inline styles. */
export const strictPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; " +
  "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; " +
  "require-trusted-types-for 'script'; trusted-types lit-html"

/** The policy that the elements need. Styles of WordPress itself do not apply under it. */
export const stricterPolicy = strictPolicy.replace(" 'unsafe-inline'", '')

/** The sites of a network share the files of the first one. */
const networkRewrites = `if (!-e $request_filename) {
      rewrite ^(/[^/]+)?(/wp-.*) $2 last;
      rewrite ^(/[^/]+)?(/.*\\.php)$ $2 last;
    }`

/**
 * Installs a site, or the first site of a network. `settings` are those of the plugin, `source` is the variable with the folder of
 * WordPress.
 */
export async function startWordPress(
  settings: (url: string) => object,
  { isNetwork = false, source = 'WORDPRESS' } = {},
): Promise<WordPress> {
  const folder = mkdtempSync(join(tmpdir(), 'routeslip-wordpress-'))
  const site = join(folder, 'site')
  const [port, streamingPort] = [await freePort(), await freePort()]
  const url = `http://127.0.0.1:${port}`
  // Debian replaces some files by links into other packages.
  cpSync(variable(source), site, { recursive: true, dereference: true })
  mkdirSync(join(site, 'wp-content/uploads'))
  writeFileSync(join(site, 'wp-config.php'), configuration(folder, url))

  await startDatabase(folder)
  const zip = join(folder, 'routeslip.zip')
  run(process.execPath, ['tools/wordpress/build.mjs', zip])
  run(variable('PHP'), [
    ...['-d', 'memory_limit=256M', new URL('install.php', import.meta.url).pathname],
    ...[site, url, zip, JSON.stringify(settings(url))],
  ])
  if (isNetwork) {
    run(variable('PHP'), [new URL('network.php', import.meta.url).pathname, site, url])
    writeFileSync(join(site, 'wp-config.php'), configuration(folder, url, true))
  }
  const fpm = await startFpm(folder)
  await startNginx(folder, site, [port, streamingPort], isNetwork)
  return {
    url,
    streaming: `http://127.0.0.1:${streamingPort}`,
    folder,
    php: (code, path = '/') =>
      run(variable('PHP'), [
        '-r',
        `$_SERVER['HTTP_HOST'] = '127.0.0.1:${port}'; $_SERVER['REQUEST_URI'] = '${path}'; $_SERVER['REQUEST_METHOD'] = 'GET'; require '${site}/wp-load.php'; ${code}`,
      ]),
    memoryOfPhp: () => Math.max(...childrenOf(fpm).map(peakMemory)),
    close: async () => {
      await endAll()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function configuration(folder: string, url: string, isNetwork = false): string {
  const constants = {
    DB_NAME: 'wordpress',
    DB_USER: 'root',
    DB_PASSWORD: '',
    DB_HOST: `localhost:${folder}/db.sock`,
    DB_CHARSET: 'utf8mb4',
    DB_COLLATE: '',
    ...(isNetwork ? networkConstants(url) : { WP_HOME: url, WP_SITEURL: url }),
    AUTH_KEY: 'test-1',
    SECURE_AUTH_KEY: 'test-2',
    LOGGED_IN_KEY: 'test-3',
    NONCE_KEY: 'test-4',
    AUTH_SALT: 'test-5',
    SECURE_AUTH_SALT: 'test-6',
    LOGGED_IN_SALT: 'test-7',
    NONCE_SALT: 'test-8',
    WP_HTTP_BLOCK_EXTERNAL: true,
    WP_ACCESSIBLE_HOSTS: '127.0.0.1',
    AUTOMATIC_UPDATER_DISABLED: true,
    DISABLE_WP_CRON: true,
    WP_DEBUG: true,
    WP_DEBUG_LOG: `${folder}/debug.log`,
    WP_DEBUG_DISPLAY: false,
  }
  const lines = Object.entries(constants).map(
    ([name, value]) => `define('${name}', ${JSON.stringify(value)});`,
  )
  return `<?php\n${lines.join('\n')}\n$table_prefix = 'wp_';\ndefined('ABSPATH') || define('ABSPATH', __DIR__ . '/');\nrequire ABSPATH . 'wp-settings.php';\n`
}

/** The constants of a network whose sites are folders of the same host. */
function networkConstants(url: string): object {
  return {
    MULTISITE: true,
    SUBDOMAIN_INSTALL: false,
    DOMAIN_CURRENT_SITE: new URL(url).host,
    PATH_CURRENT_SITE: '/',
    SITE_ID_CURRENT_SITE: 1,
    BLOG_ID_CURRENT_SITE: 1,
  }
}

async function startDatabase(folder: string): Promise<void> {
  const data = join(folder, 'db')
  const common = ['--no-defaults', '--user=root', `--datadir=${data}`]
  // Databases that start at the same time must not share a folder for temporary tables.
  const env = { ...process.env, TMPDIR: folder }
  run('mariadb-install-db', [...common, '--auth-root-authentication-method=normal', '--skip-test-db'], env)
  const socket = join(folder, 'db.sock')
  const { child, errors } = watch(
    spawn(
      variable('MARIADBD'),
      [
        ...common,
        ...[`--socket=${socket}`, '--skip-networking', `--pid-file=${folder}/db.pid`],
        ...['--innodb-buffer-pool-size=32M', '--innodb-flush-log-at-trx-commit=0'],
      ],
      { stdio: ['ignore', 'ignore', 'pipe'], env },
    ),
    'SIGTERM',
  )
  await until(() => {
    if (child.exitCode !== null) throw new Error(`MariaDB exited: ${errors()}`)
    return canConnect(socket)
  })
  run('mariadb', ['--no-defaults', `--socket=${socket}`, '--user=root', '-e', 'CREATE DATABASE wordpress'])
}

/** Starts PHP-FPM and returns its process id. */
async function startFpm(folder: string): Promise<number> {
  const socket = join(folder, 'fpm.sock')
  const file = join(folder, 'fpm.conf')
  const limits = (file: string, form: string) => `
php_admin_value[upload_max_filesize] = ${file}
php_admin_value[post_max_size] = ${form}
php_admin_value[memory_limit] = 128M
php_admin_value[upload_tmp_dir] = ${folder}/tmp
php_admin_value[sys_temp_dir] = ${folder}/tmp`
  mkdirSync(join(folder, 'tmp'))
  writeFileSync(
    file,
    `[global]
error_log = ${folder}/fpm.log
daemonize = no
[www]
user = root
listen = ${socket}
listen.mode = 0666
pm = static
pm.max_children = 8
catch_workers_output = yes
${limits('1200M', '1200M')}
[small]
user = root
listen = ${folder}/small.sock
listen.mode = 0666
pm = ondemand
pm.max_children = 2
${limits('2M', '4M')}
${documentedPool(folder)}
${limits('1200M', '1200M')}
`,
  )
  const { child, errors } = watch(
    spawn(variable('PHP_FPM'), ['-R', '-F', '-y', file], { stdio: ['ignore', 'ignore', 'pipe'] }),
    'SIGTERM',
  )
  await until(() => {
    if (child.exitCode !== null) throw new Error(`PHP-FPM exited: ${errors()}`)
    return canConnect(socket)
  })
  return child.pid ?? 0
}

async function startNginx(
  folder: string,
  site: string,
  [port, streamingPort]: readonly [number, number],
  isNetwork: boolean,
): Promise<void> {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const snippet = documented('nginx', [
    ['unix:/run/php/routeslip.sock', `unix:${folder}/routeslip.sock`],
    ['client_max_body_size 51m', 'client_max_body_size 1200m'],
  ])
  const server = (listen: number, more: string) => `
  server {
    listen 127.0.0.1:${listen};
    root ${site};
    index index.php;
    client_max_body_size 1200m;
    add_header Content-Security-Policy $policy always;
    ${more}
    ${isNetwork ? networkRewrites : ''}
    if ($cookie_test_limits = server) { rewrite ^/wp-json/routeslip/v1/files$ /limited last; }
    location = /limited {
      internal;
      client_max_body_size 1m;
      rewrite ^ /index.php last;
    }
    location / { try_files $uri $uri/ /index.php?$args; }
    location ~ \\.php$ {
      include /etc/nginx/fastcgi_params;
      # Debian's parameters lack the port.
      fastcgi_param HTTP_HOST $http_host;
      fastcgi_param SCRIPT_FILENAME $document_root$fastcgi_script_name;
      fastcgi_param REMOTE_USER $single_sign_on if_not_empty;
      fastcgi_param HTTP_X_SINGLE_SIGN_ON $single_sign_on;
      fastcgi_pass $php;
      fastcgi_read_timeout 120s;
    }
  }`
  const main = join(folder, 'nginx.conf')
  writeFileSync(
    main,
    `daemon off;
user root;
pid ${folder}/nginx.pid;
error_log stderr;
events {}
http {
  include /etc/nginx/mime.types;
  access_log off;
  ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n  ')}
  map $http_x_test_policy $policy {
    strict "${strictPolicy}";
    stricter "${stricterPolicy}";
    default "";
  }
  # Stands for single sign-on: its session knows the university ID.
  map $cookie_single_sign_on $single_sign_on { "~^session-of-(?<univid>\\d+)$" $univid; default ""; }
  map $cookie_test_limits $php { php unix:${folder}/small.sock; default unix:${folder}/fpm.sock; }
  ${server(port, '')}
  ${server(streamingPort, snippet)}
}
`,
  )
  const { child, errors } = watch(
    spawn(variable('NGINX'), ['-p', folder, '-c', main, '-e', 'stderr'], {
      stdio: ['ignore', 'ignore', 'pipe'],
    }),
    'SIGTERM',
  )
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`nginx exited: ${errors()}`)
    return await fetch(`http://127.0.0.1:${port}/readme.html`).then(
      () => true,
      () => false,
    )
  })
}

/** Returns the pool that docs/wordpress.md shows, for the user of the test. */
function documentedPool(folder: string): string {
  return documented('ini', [
    ['/run/php/routeslip.sock', `${folder}/routeslip.sock`],
    ['www-data', 'root'],
  ])
}

/** Returns the configuration in a language that docs/wordpress.md shows, with replacements. */
function documented(language: string, replacements: readonly (readonly [string, string])[]): string {
  const document = readFileSync(new URL('../../../docs/wordpress.md', import.meta.url), 'utf8')
  const found = new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(document)?.[1]
  if (found === undefined) throw new Error(`docs/wordpress.md shows no ${language}`)
  return replacements.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`docs/wordpress.md lacks ${from}`)
    return text.replaceAll(from, to)
  }, found)
}

function canConnect(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = createConnection(socket)
    connection.once('connect', () => {
      connection.destroy()
      resolve(true)
    })
    connection.once('error', () => resolve(false))
  })
}

/** Runs a program to its end. Returns its output. */
function run(program: string, args: readonly string[], env = process.env): string {
  const { status, stdout, stderr, error } = spawnSync(program, [...args], { encoding: 'utf8', env })
  if (error) throw error
  if (status !== 0 || /Fatal error/.test(stdout)) throw new Error(`${program} failed: ${stdout}${stderr}`)
  return stdout
}

/** Returns the version of the WordPress in the folder that a variable names. */
export function versionIn(source: string): string {
  const text = readFileSync(join(variable(source), 'wp-includes/version.php'), 'utf8')
  return /\$wp_version = '([^']*)'/.exec(text)?.[1] ?? ''
}

function variable(name: string): string {
  const value = process.env[name]
  if (!value || !existsSync(value))
    throw new Error(`${name} is not set. Run these tests with: npm run test:stacks`)
  return value
}

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)
}

/** The largest amount of memory that a process has used so far, in bytes. */
function peakMemory(pid: number): number {
  const found = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(found) * 1024
}
