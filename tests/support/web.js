// Pages made on request, so that 100,000 different ones need no disk. `web` is the JSON that web.py wrote.

import fs from 'fs';

// A page is its links and three slices of one long text. Where the slices start depends on host and page, so
// two pages would have to agree in all three to look alike.
const SLICES = 3;

function hostIndex(r) {
    return Number(r.variables.server_addr.split('.')[3]) - web.first_octet;
}

function scramble(x) {
    x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
    x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
    return (x ^ (x >>> 16)) >>> 0;
}

// As many bytes as asked for, unless the links alone need more.
function html(host, page) {
    const name = 'Page ' + page + ' of host ' + host;
    const head = '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>' + name + '</title></head>\n'
        + '<body><main><h1>' + name + '</h1>\n';
    const tail = '</main><ul>\n' + web.links[page] + '</ul></body></html>\n';
    const room = Math.floor((web.page_bytes - head.length - tail.length) / SLICES);
    const size = Math.max(64, room - '<p></p>\n'.length);
    let body = '';
    let at = host * web.links.length + page + 1;
    for (let k = 0; k < SLICES; k++) {
        at = scramble(at + k);
        const from = at % (web.text.length - size);
        body += '<p>' + web.text.slice(from, from + size) + '</p>\n';
    }
    return head + body + tail;
}

function answer(r) {
    const index = r.uri === '/' ? 0 : Number(r.uri.slice(3));
    if (!(index < web.links.length)) {
        r.return(404, 'no such page\n');
        return;
    }
    const home = index === 0 ? '/' : '/p/' + index;
    const host = hostIndex(r);
    if (r.uri.startsWith('/r/')) {
        r.return(301, home);
    } else if (r.uri.startsWith('/x/')) {
        r.return(302, web.origins[(host + 1) % web.origins.length] + home);
    } else {
        r.headersOut['Content-Type'] = 'text/html; charset=utf-8';
        r.return(200, html(host, index));
    }
}

// Every so many pages one takes its time.
const SLOW_EVERY = 10;

function latency(r) {
    return web.slow_ms > 0 && Number(r.uri.slice(3)) % SLOW_EVERY === 1 ? web.slow_ms : web.latency_ms;
}

function serve(r) {
    const wait = latency(r);
    if (wait > 0) {
        setTimeout(answer, wait, r);
    } else {
        answer(r);
    }
}

// nginx is one process. It blocks here until it is killed, because a pipe holds less than this text. As it
// handles one request at a time, every answer that it sent before has its line in the log.
function freeze(r) {
    fs.writeFileSync(ngx.prefix + '/frozen', 'frozen'.repeat(50000));
    r.return(204);
}

export default {serve, freeze};
