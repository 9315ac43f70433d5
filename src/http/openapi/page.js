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

/** Text with `code` between backticks. */
function prose(text) {
  const parts = (text ?? "").split("`");
  return parts.map((part, index) => (index % 2 === 1 ? element("code", {}, part) : part));
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

function responses(operation) {
  const colour = (status) => (status < 400 ? "good" : status < 500 ? "client" : "server");
  const rows = Object.entries(operation.responses).map(([status, response]) => {
    const bodies = Object.entries(response.content ?? {}).map(([type, content]) =>
      element("div", { class: "type" }, `${type}: `, ...typeOf(content.schema)),
    );
    const code = element("span", { class: colour(Number(status)) }, status);
    return row(code, false, prose(response.description), bodies);
  });
  return [element("h4", {}, "Answers"), table(["Status", "When", "Body"], rows)];
}

function call(spec, path, method, operation) {
  const heading = element(
    "h3", {},
    element("span", { class: "method" }, method.toUpperCase()),
    element("span", { class: "path" }, path),
  );
  const about = [operation.summary, operation.description].filter(Boolean).map((text) => element("p", {}, ...prose(text)));
  return element(
    "section", { id: anchor(`${method} ${path}`) },
    heading, ...about, ...parameters(spec, operation), ...responses(operation),
  );
}

function schema(name, one) {
  const needed = new Set(one.required ?? []);
  const rows = Object.entries(one.properties ?? {}).map(([key, property]) =>
    row(key, needed.has(key), [element("span", { class: "type" }, ...typeOf(property))], prose(property.description)),
  );
  return element(
    "section", { id: `schema-${anchor(name)}` },
    element("h3", {}, element("span", { class: "path" }, name)),
    one.description ? element("p", {}, ...prose(one.description)) : undefined,
    table(["Field", "Type", "Meaning"], rows),
  );
}

function links(heading, entries) {
  const items = entries.map(([target, text]) => element("li", {}, element("a", { href: `#${target}` }, text)));
  return [element("h2", {}, heading), element("ul", {}, ...items)];
}

function draw(spec) {
  const content = document.getElementById("content");
  const contents = document.getElementById("contents");
  document.getElementById("title").textContent = `${spec.info.title} ${spec.info.version}`;
  document.getElementById("about").textContent = spec.info.description;
  const calls = Object.entries(spec.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => ({ path, method, operation: item[method] })),
  );
  for (const tag of spec.tags) {
    const tagged = calls.filter(({ operation }) => operation.tags?.includes(tag.name));
    content.append(element("h2", {}, tag.name), element("p", {}, tag.description));
    content.append(...tagged.map(({ path, method, operation }) => call(spec, path, method, operation)));
    const entries = tagged.map(({ path, method, operation }) => [anchor(`${method} ${path}`), operation.summary]);
    contents.append(...links(tag.name, entries));
  }
  const schemas = Object.entries(spec.components.schemas);
  content.append(element("h2", {}, "entities"), element("p", {}, "Fields with * are always there."));
  content.append(...schemas.map(([name, one]) => schema(name, one)));
  contents.append(...links("entities", schemas.map(([name]) => [`schema-${anchor(name)}`, name])));
}

async function start() {
  const state = document.getElementById("state");
  try {
    const answer = await fetch(DOCUMENT);
    if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
    draw(await answer.json());
    state.remove();
    // The target of the address was not there when the page was loaded.
    if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
  } catch (error) {
    state.textContent = `The description of the calls cannot be shown: ${error.message}`;
  }
  document.getElementById("content").setAttribute("aria-busy", "false");
}

start();
