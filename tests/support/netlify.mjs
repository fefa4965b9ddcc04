// Answers requests by a file `_redirects`, with the parser and the matcher that Netlify publishes.
//   node netlify.mjs FOLDER_WITH_NODE_MODULES FILE
// Reads one path with its query as JSON in each line, and writes [status, location].
// The queries are joined as Netlify documents it: that of the visitor is passed on if the target has none.
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [folder, file] = process.argv.slice(2);
const require = createRequire(`${folder}/package.json`);
const parser = await import(pathToFileURL(`${folder}/node_modules/@netlify/redirect-parser/lib/index.js`));
const { redirects, errors } = await parser.parseAllRedirects({ redirectsFiles: [file], minimal: false });
if (errors.length) throw new Error(errors.map((each) => each.message).join("\n"));

const rules = redirects.map(({ from, query, ...rest }) => ({ ...rest, origin: from, params: query }));
const options = { jwtSecret: "none", jwtRoleClaim: "none" };
const matcher = await require("netlify-redirector").parseJSON(JSON.stringify(rules), options);

for await (const line of createInterface({ input: process.stdin })) {
  const [path, ...rest] = JSON.parse(line).split("?");
  const query = rest.join("?");
  const found = matcher.match({
    scheme: "https",
    host: "shop.test",
    path: decodeURIComponent(path),
    query,
    headers: {},
    cookieValues: {},
    getHeader: () => "",
    getCookie: () => "",
  });
  console.log(JSON.stringify(found ? [found.status, withQuery(found.to, query)] : [0, null]));
}

function withQuery(target, query) {
  const [rest, ...fragment] = target.split("#");
  const joined = query && !rest.includes("?") ? `${rest}?${query}` : rest;
  return [joined, ...fragment].join("#");
}
