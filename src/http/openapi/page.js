// Draws openapi.json: no library, and text only ever as text, so that nothing in the document can become markup.

const DOCUMENT = "/api/openapi.json";
const METHODS = ["get", "post", "put", "patch", "delete"];

function element(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (value !== undefined && value !== false) made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child !== undefined && child !== null));
  return made;
}

/** Text with `code` and *emphasis* as elements. */
function prose(text) {
  const parts = (text ?? "").split(/(`[^`]+`|\*[^*\s](?:[^*]*[^*\s])?\*)/);
  return parts.map((part, index) => {
    if (index % 2 === 0) return part;
    return element(part[0] === "`" ? "code" : "em", {}, part.slice(1, -1));
  });
}

function anchor(text) {
  return text.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
}

function resolve(spec, value) {
  if (!value?.$ref) return value ?? {};
  return value.$ref.slice(2).split("/").reduce((node, key) => node?.[key], spec) ?? {};
}

/** The type of a schema in a few words, with a link where it has a name. */
function typeOf(schema) {
  if (!schema || Object.keys(schema).length === 0) return ["anything"];
  if (schema.$ref) {
    const name = schema.$ref.split("/").pop();
    return [element("a", { href: `#schema-${anchor(name)}` }, name)];
  }
  if (schema.allOf) return schema.allOf.flatMap((part, index) => (index ? [" and ", ...typeOf(part)] : typeOf(part)));
  if (schema.const !== undefined) return [JSON.stringify(schema.const)];
  if (schema.enum) return [schema.enum.map((value) => JSON.stringify(value)).join(" | ")];
  if (schema.oneOf) return schema.oneOf.flatMap((part, index) => (index ? [" or ", ...typeOf(part)] : typeOf(part)));
  const types = [schema.type ?? []].flat();
  if (types.includes("array")) {
    const or = types.includes("null") ? " or null" : "";
    return ["list of ", ...typeOf(schema.items), or];
  }
  if (schema.additionalProperties) return ["object of ", ...typeOf(schema.additionalProperties)];
  return [types.join(" or ") || schema.description || "anything"];
}

function table(headings, rows) {
  const head = element("tr", {}, ...headings.map((text) => element("th", { scope: "col" }, text)));
  const whole = element("table", {}, element("thead", {}, head), element("tbody", {}, ...rows));
  return element("div", { class: "scroll" }, whole);
}

function row(name, isNeeded, ...cells) {
  const title = isNeeded ? "required" : undefined;
  const first = element("th", { scope: "row", class: isNeeded ? "needed" : undefined, title }, name);
  return element("tr", {}, first, ...cells.map((cell) => element("td", {}, ...cell)));
}

function parameters(spec, operation) {
  const all = (operation.parameters ?? []).map((parameter) => resolve(spec, parameter));
  if (all.length === 0) return [];
  const rows = all.map((one) =>
    row(one.name, one.required, [one.in], [element("span", { class: "type" }, ...typeOf(one.schema))], prose(one.description)),
  );
  return [element("h4", {}, "Parameters"), table(["Name", "In", "Type", "Meaning"], rows)];
}

function body(operation) {
  const content = Object.entries(operation.requestBody?.content ?? {});
  return content.flatMap(([type, { schema }]) => [
    element("h4", {}, "Body"),
    element("p", { class: "type" }, `${type}: `, ...typeOf(schema)),
  ]);
}

const colour = (status) => (status < 400 ? "good" : status < 500 ? "client" : "server");

/** The fields of an object, with those of everything that it extends. */
function fieldsOf(spec, schema) {
  const { properties = {}, required = [], allOf = [] } = resolve(spec, schema);
  const parts = allOf.map((part) => fieldsOf(spec, part));
  return {
    properties: Object.assign({}, ...parts.map((part) => part.properties), properties),
    required: [...parts.flatMap((part) => part.required), ...required],
  };
}

/** The possible values of `reason` in an answer. */
function reasons(spec, schema) {
  const values = fieldsOf(spec, schema).properties.reason?.enum ?? [];
  if (values.length === 0) return undefined;
  const codes = values.flatMap((value, index) => [index ? ", " : "", element("code", {}, value)]);
  return element("p", { class: "reasons" }, element("code", {}, "reason"), ": ", ...codes);
}

function responses(spec, operation) {
  const rows = Object.entries(operation.responses).map(([status, response]) => {
    const bodies = Object.entries(response.content ?? {}).map(([type, content]) =>
      element("div", { class: "type" }, `${type}: `, ...typeOf(content.schema), reasons(spec, content.schema) ?? ""),
    );
    const code = element("span", { class: colour(Number(status)) }, status);
    return row(code, false, prose(response.description), bodies);
  });
  return [element("h4", {}, "Answers"), table(["Status", "When", "Body"], rows)];
}

/** Whether the call is rejected without a login. */
function needsLogin(operation) {
  if (operation.security) return operation.security.every((way) => Object.keys(way).length > 0);
  return operation.responses["401"] !== undefined;
}

/** A parameter's value in the example; undefined leaves the parameter out. */
function sample(parameter) {
  const one = parameter.schema ?? {};
  if (one.format === "uuid") return "$(uuidgen)";
  return parameter.example ?? (parameter.required ? one.examples?.[0] ?? one.enum?.[0] : undefined);
}

const SIGNS_IN = ["/api/v1/account/login", "/api/v1/account/register"];

function curl(spec, path, method, operation) {
  const all = (operation.parameters ?? []).map((parameter) => resolve(spec, parameter));
  const given = all.map((one) => [one, sample(one)]).filter(([, value]) => value !== undefined);
  const of = (place) => given.filter(([one]) => one.in === place).map(([one, value]) => [one.name, String(value)]);
  const whole = of("path").reduce((text, [name, value]) => text.replace(`{${name}}`, value), path);
  const query = of("query").map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
  const lines = [`curl '${location.origin}${whole}${query ? `?${query}` : ""}'`];
  const payload = operation.requestBody?.content["application/json"]?.example;
  if (method !== "get" && !(method === "post" && payload)) lines.push(`--request ${method.toUpperCase()}`);
  if (SIGNS_IN.includes(path)) lines.push("--cookie-jar cookies.txt");
  else if (needsLogin(operation)) lines.push("--cookie cookies.txt");
  if (path === "/api/v1/account/logout") lines.push("--cookie cookies.txt --cookie-jar cookies.txt");
  for (const [name, value] of of("header")) lines.push(`--header "${name}: ${value}"`);
  if (payload) {
    lines.push("--header 'Content-Type: application/json'");
    lines.push(`--data '${JSON.stringify(payload, null, 2)}'`);
  }
  return lines.join(" \\\n  ");
}

function code(text, label) {
  return element("pre", { tabindex: "0", role: "region", "aria-label": label }, element("code", {}, text));
}

function example(spec, path, method, operation) {
  const [status, answer] = Object.entries(operation.responses).find(([key]) => Number(key) < 300);
  const shown = Object.entries(answer.content ?? {}).find(([, content]) => content.example !== undefined);
  const name = `${method.toUpperCase()} ${path}`;
  const nodes = [element("h4", {}, "Example"), code(curl(spec, path, method, operation), `Request: ${name}`)];
  if (!shown) return [...nodes, element("p", { class: "type" }, `${status}, without a body`)];
  const [type, content] = shown;
  const text = typeof content.example === "string" ? content.example : JSON.stringify(content.example, null, 2);
  return [...nodes, element("p", { class: "type" }, `${status}, ${type}`), code(text, `Answer: ${name}`)];
}

function statuses(operation) {
  const codes = Object.keys(operation.responses).map((status) => element("span", { class: colour(Number(status)) }, status));
  return element("p", { class: "statuses" }, element("span", { class: "type" }, "Status"), ...codes);
}

function call(spec, path, method, operation) {
  const heading = element(
    "h3", {},
    element("span", { class: "method" }, method.toUpperCase()),
    element("span", { class: "path" }, path),
    needsLogin(operation) ? element("a", { class: "login", href: "#login" }, "login") : undefined,
  );
  const about = [operation.summary, operation.description].filter(Boolean).map((text) => element("p", {}, ...prose(text)));
  return element(
    "section", { id: anchor(`${method} ${path}`), "data-search": `${method} ${path} ${operation.summary}`.toLowerCase() },
    heading, ...about, statuses(operation), ...parameters(spec, operation), ...body(operation),
    ...responses(spec, operation), ...example(spec, path, method, operation),
  );
}

function schema(spec, name, one) {
  const { properties, required } = fieldsOf(spec, one);
  const needed = new Set(required);
  const rows = Object.entries(properties).map(([key, property]) =>
    row(key, needed.has(key), [element("span", { class: "type" }, ...typeOf(property))], prose(property.description)),
  );
  return element(
    "section", { id: `schema-${anchor(name)}`, "data-search": name.toLowerCase() },
    element("h3", {}, element("span", { class: "path" }, name)),
    one.description ? element("p", {}, ...prose(one.description)) : undefined,
    table(["Field", "Type", "Meaning"], rows),
  );
}

function links(heading, entries) {
  const items = entries.map(([target, text]) => element("li", {}, element("a", { href: `#${target}` }, ...prose(text))));
  return element("div", { class: "group" }, element("h2", {}, heading), element("ul", {}, ...items));
}

function chapter(id, title, ...nodes) {
  return element("section", { id, "data-search": title.toLowerCase() }, element("h3", {}, title), ...nodes);
}

/** What no single call says: how to log in, and what an error looks like. */
function basics(spec) {
  const paragraph = (text) => element("p", {}, ...prose(text));
  const credentials = spec.paths["/api/v1/account/login"].post;
  const status = spec.paths["/api/v1/live/user-status"].get;
  const { message } = spec.components.schemas.Error.examples[0];
  return [
    chapter(
      "login", "Login",
      paragraph("The session is a cookie: `kvota-session`, over TLS `__Host-kvota-session`. `POST /api/v1/account/register` and `POST /api/v1/account/login` set it; every later call sends it. There is no other token."),
      paragraph("With curl, keep the cookie in a file:"),
      code(curl(spec, "/api/v1/account/login", "post", credentials), "Log in with curl"),
      paragraph("Then send the file with each call that is marked *login*:"),
      code(curl(spec, "/api/v1/live/user-status", "get", status), "A call with the session"),
      paragraph("*Origin:* a call that changes something, and the live hub, are rejected with 403 if the request has an `Origin` header of another site. A program sends none and needs none. A page sends its own: it must be the address of this server, or be listed in `http.allowed_origins`."),
    ),
    chapter(
      "errors", "Errors",
      paragraph("Every error has a status and this body. `message` is for people, in the language of the request (`lang`). Some calls add `reason`, a code for programs; it is listed with the call."),
      code(JSON.stringify(spec.components.schemas.Error.examples[0], null, 2), `Error: ${message}`),
    ),
  ];
}

/** Shows the sections and the entries of the contents that contain every searched word. */
function filter() {
  const words = document.getElementById("search").value.toLowerCase().split(/\s+/).filter(Boolean);
  let found = 0;
  for (const section of document.querySelectorAll("main section")) {
    section.hidden = !words.every((word) => section.dataset.search.includes(word));
    document.querySelector(`nav a[href="#${section.id}"]`).parentElement.hidden = section.hidden;
    if (!section.hidden) found += 1;
  }
  for (const group of document.querySelectorAll("nav .group, main .part")) {
    group.hidden = !group.querySelector("li:not([hidden]), section:not([hidden])");
  }
  const text = found === 0 ? "Nothing found." : `${found} found`;
  document.getElementById("found").textContent = words.length > 0 ? text : "";
}

function search() {
  const field = document.getElementById("search");
  field.addEventListener("input", filter);
  field.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && field.value !== "") {
      event.preventDefault();
      field.value = "";
      filter();
    }
  });
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target instanceof HTMLInputElement;
    if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    field.focus();
    field.select();
  });
  // A link to a section that the search has hidden.
  addEventListener("hashchange", () => {
    const target = document.getElementById(location.hash.slice(1));
    if (!target?.hidden) return;
    field.value = "";
    filter();
    target.scrollIntoView();
  });
}

function draw(spec) {
  const content = document.getElementById("content");
  const contents = document.getElementById("contents");
  document.getElementById("title").textContent = `${spec.info.title} ${spec.info.version}`;
  document.getElementById("about").append(...prose(spec.info.description));
  const part = (title, about, sections) =>
    content.append(element("div", { class: "part" }, element("h2", {}, title), element("p", {}, ...prose(about)), ...sections));
  part("basics", "What holds for every call.", basics(spec));
  contents.append(links("basics", [["login", "Login"], ["errors", "Errors"]]));
  const calls = Object.entries(spec.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => ({ path, method, operation: item[method] })),
  );
  for (const tag of spec.tags) {
    const tagged = calls.filter(({ operation }) => operation.tags?.includes(tag.name));
    part(tag.name, tag.description, tagged.map(({ path, method, operation }) => call(spec, path, method, operation)));
    const entries = tagged.map(({ path, method, operation }) => [anchor(`${method} ${path}`), operation.summary]);
    contents.append(links(tag.name, entries));
  }
  const schemas = Object.entries(spec.components.schemas);
  part("entities", "A field marked with a star is always there.", schemas.map(([name, one]) => schema(spec, name, one)));
  contents.append(links("entities", schemas.map(([name]) => [`schema-${anchor(name)}`, name])));
}

async function start() {
  const state = document.getElementById("state");
  try {
    const answer = await fetch(DOCUMENT);
    if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
    draw(await answer.json());
    state.remove();
    search();
    // A browser may restore the field's text; on a phone the contents would push the calls off the first screen.
    filter();
    document.getElementById("menu").open = matchMedia("(min-width: 52.01rem)").matches;
    // The target of the address was not there when the page was loaded.
    if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
  } catch (error) {
    state.textContent = `The description of the calls cannot be shown: ${error.message}`;
  }
  document.getElementById("content").setAttribute("aria-busy", "false");
}

start();
