/* The picture of the graph. Places are a function of the names alone until the layout moves them a fixed number of
   steps, so the same graph always looks the same; what is already shown does not move when neighbours join. */

import { forceAtlas2 } from "../vendor/forceatlas2.min.js";

function hasWebGL() {
  return Boolean(document.createElement("canvas").getContext("webgl2"));
}

function draw(place, data) {
  place.hidden = false;
  const panel = place.querySelector(".panel");
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const graph = new graphology.Graph({ type: "directed", multi: true });
  let chosen = "";
  let near = new Set();

  add(graph, data, true);
  settle(graph, 300);
  const sigma = new Sigma(graph, place.querySelector(".canvas"), {
    renderEdgeLabels: true,
    // A small graph has room for every name; a large one shows those of its hubs until one looks closer.
    labelRenderedSizeThreshold: graph.order <= 40 ? 0 : 7,
    // Room for the names beside the outermost; on a phone there is none to give.
    stagePadding: graph.order <= 12 ? Math.min(190, place.querySelector(".canvas").clientWidth / 5) : 40,
    labelFont: getComputedStyle(document.body).fontFamily,
    edgeLabelFont: getComputedStyle(document.body).fontFamily,
    edgeLabelSize: 11,
    defaultEdgeType: "arrow",
    zIndex: true,
    nodeReducer: (key, node) => {
      const shown = { ...node, color: colour(node.kind, dark.matches) };
      if (chosen && key !== chosen && !near.has(key)) return { ...shown, color: faint(dark.matches), label: "", zIndex: 0 };
      return key === chosen ? { ...shown, highlighted: true, zIndex: 2, forceLabel: true } : { ...shown, zIndex: 1 };
    },
    edgeReducer: (key, edge) => {
      const touches = chosen && graph.extremities(key).includes(chosen);
      return { ...edge, color: touches ? ink(dark.matches) : faint(dark.matches), label: touches ? edge.label : "",
        hidden: Boolean(chosen) && !touches && !graph.extremities(key).every((end) => near.has(end)) };
    },
  });
  dress(sigma, dark.matches);
  dark.addEventListener("change", () => { dress(sigma, dark.matches); sigma.refresh(); });
  legend(graph, place.querySelector("[data-legend]"), dark.matches);
  count(graph);

  async function choose(key) {
    if (!graph.hasNode(key)) await expand(key, true);
    if (!graph.hasNode(key)) return;
    chosen = key;
    near = new Set(graph.neighbors(key));
    sigma.refresh();
    await Promise.all([open(panel, place.dataset.entity.replace("KEY", key)), expand(key, false)]);
  }

  async function expand(key, fresh) {
    const answer = await ask(`${place.dataset.neighbours}?around=${encodeURIComponent(key)}`, { Accept: "application/json" });
    if (!answer.ok) return;
    const before = new Set(graph.nodes());
    add(graph, await answer.json(), fresh, key);
    if (graph.order > before.size) settle(graph, 60, before);
    if (chosen === key) near = new Set(graph.neighbors(key));
    legend(graph, place.querySelector("[data-legend]"), dark.matches);
    count(graph);
    sigma.refresh();
  }

  sigma.on("clickNode", ({ node }) => choose(node));
  sigma.on("clickStage", () => { chosen = ""; near = new Set(); sigma.refresh(); });
  place.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-key]");
    if (!link) return;
    event.preventDefault();
    choose(link.dataset.key).then(() => look(sigma, link.dataset.key));
  });
  for (const button of place.querySelectorAll("[data-zoom]")) {
    button.addEventListener("click", () => {
      const camera = sigma.getCamera();
      if (button.dataset.zoom === "in") camera.animatedZoom();
      else if (button.dataset.zoom === "out") camera.animatedUnzoom();
      else camera.animatedReset();
    });
  }
  finder((key) => choose(key).then(() => look(sigma, key)));
  if (place.dataset.opened) choose(place.dataset.opened);
  window.brainGraph = { graph, sigma, choose };
}

function add(graph, data, scattered, origin) {
  const middle = origin && graph.hasNode(origin) ? graph.getNodeAttributes(origin) : { x: 0, y: 0 };
  for (const each of data.entities) {
    if (graph.hasNode(each.key)) continue;
    const angle = hash(each.key) * 2 * Math.PI;
    const reach = (scattered ? 10 : 2) * (0.3 + hash(`${each.key}r`));
    graph.addNode(each.key, { label: each.name, kind: each.type, size: 5, x: middle.x + reach * Math.cos(angle), y: middle.y + reach * Math.sin(angle) });
  }
  for (const each of data.relations) {
    if (graph.hasEdge(each.key) || !graph.hasNode(each.subject) || !graph.hasNode(each.object)) continue;
    graph.addDirectedEdgeWithKey(each.key, each.subject, each.object, { label: each.predicate, size: 1.2 });
  }
  graph.forEachNode((key) => graph.setNodeAttribute(key, "size", 4 + 2.2 * Math.sqrt(graph.degree(key))));
}

/* Entities of ``kept`` stay where they are. */
function settle(graph, steps, kept = new Set()) {
  if (graph.order < 2) return;
  graph.forEachNode((key) => graph.setNodeAttribute(key, "fixed", kept.has(key)));
  forceAtlas2.assign(graph, {
    iterations: steps,
    settings: { ...forceAtlas2.inferSettings(graph), gravity: 1.2, scalingRatio: 12, strongGravityMode: false, barnesHutOptimize: graph.order > 500, adjustSizes: true },
  });
}

/* 0 to 1, the same for the same text everywhere (FNV-1a). */
function hash(text) {
  let value = 0x811c9dc5;
  for (const character of text) value = Math.imul(value ^ character.codePointAt(0), 0x01000193);
  return (value >>> 0) / 2 ** 32;
}

/* Hues of the kinds that most graphs hold; any other kind gets one from its name. */
const HUES = {
  person: 265, people: 265, 사람: 265, 인물: 265,
  organisation: 190, organization: 190, company: 190, 조직: 190, 기관: 190, 회사: 190, 단체: 190,
  place: 95, location: 95, 장소: 95, 지역: 95, 위치: 95,
  concept: 215, 개념: 215, work: 290, 작품: 290, law: 25, article: 25, 법률: 25, 조항: 25, document: 45, 문서: 45,
  product: 330, technology: 330, software: 330, 제품: 330, 기술: 330, event: 0, 사건: 0, date: 60, 날짜: 60,
};

function colour(kind, dark) {
  const hue = HUES[kind.toLowerCase()] ?? Math.floor(hash(kind) * 36) * 10;
  return `#${hsl(hue, 0.42, dark ? 0.66 : 0.42)}`;
}

function faint(dark) {
  return dark ? "#3a424b" : "#d5d1c9";
}

function ink(dark) {
  return dark ? "#a3abb5" : "#5b636d";
}

function hsl(hue, saturation, lightness) {
  const reach = saturation * Math.min(lightness, 1 - lightness);
  const part = (n) => {
    const k = (n + hue / 30) % 12;
    return Math.round(255 * (lightness - reach * Math.max(-1, Math.min(k - 3, 9 - k, 1)))).toString(16).padStart(2, "0");
  };
  return part(0) + part(8) + part(4);
}

function dress(sigma, dark) {
  sigma.setSetting("labelColor", { color: dark ? "#e7e9ec" : "#1e2329" });
  sigma.setSetting("edgeLabelColor", { color: ink(dark) });
  sigma.setSetting("defaultDrawNodeHover", (context, node, settings) => hover(context, node, settings, dark));
}

/* Sigma's own hover label is a white box, unreadable on dark paper. */
function hover(context, node, settings, dark) {
  const size = settings.labelSize;
  context.font = `${settings.labelWeight} ${size}px ${settings.labelFont}`;
  const label = node.label || "";
  const width = context.measureText(label).width + 10;
  context.fillStyle = dark ? "#23282e" : "#ffffff";
  context.strokeStyle = dark ? "#6cc6d1" : "#0b5d69";
  context.lineWidth = 1.5;
  context.beginPath();
  context.arc(node.x, node.y, node.size + 2, 0, 2 * Math.PI);
  context.stroke();
  if (!label) return;
  context.beginPath();
  context.roundRect(node.x + node.size + 4, node.y - size / 2 - 5, width, size + 10, 4);
  context.fill();
  context.stroke();
  context.fillStyle = dark ? "#e7e9ec" : "#1e2329";
  context.fillText(label, node.x + node.size + 9, node.y + size / 3);
}

function legend(graph, list, dark) {
  const kinds = new Map();
  graph.forEachNode((_key, node) => kinds.set(node.kind, (kinds.get(node.kind) || 0) + 1));
  const most = [...kinds].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, 8);
  list.replaceChildren(...most.map(([kind]) => {
    const item = document.createElement("li");
    const dot = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    dot.setAttribute("viewBox", "0 0 10 10");
    const circle = document.createElementNS("http://www.w3.org/2000/svg", "circle");
    for (const [name, value] of [["cx", 5], ["cy", 5], ["r", 5], ["fill", colour(kind, dark)]]) circle.setAttribute(name, value);
    dot.append(circle);
    item.append(dot, kind);
    return item;
  }));
}

function count(graph) {
  const line = document.querySelector("[data-counts]");
  const number = new Intl.NumberFormat(document.documentElement.lang);
  line.textContent = line.dataset.template
    .replace("{shown}", number.format(graph.order)).replace("{total}", number.format(line.dataset.total))
    .replace("{relations}", number.format(graph.size)).replace("{all}", number.format(line.dataset.relations));
}

/* A session that has ended leads to the login page: the whole page goes there. */
async function ask(url, headers) {
  const answer = await fetch(url, { headers });
  if (answer.redirected) location.reload();
  return answer;
}

async function open(panel, url) {
  const answer = await ask(url, { "HX-Request": "true" });
  if (!answer.ok) { panel.textContent = panel.dataset.saidFailed; return; }
  panel.innerHTML = await answer.text();
  panel.scrollTop = 0;
}

function look(sigma, key) {
  const at = sigma.getNodeDisplayData(key);
  if (at) sigma.getCamera().animate({ x: at.x, y: at.y, ratio: 0.5 }, { duration: matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 400 });
}

function finder(choose) {
  const form = document.querySelector("[data-finder]");
  const input = form.querySelector("input");
  const list = form.querySelector("#found");
  let asked = 0;
  let at = -1;

  const close = () => { list.hidden = true; at = -1; input.setAttribute("aria-expanded", "false"); input.removeAttribute("aria-activedescendant"); };
  const take = (item) => { close(); input.value = item.dataset.name; choose(item.dataset.key); };
  const mark = (step) => {
    const items = [...list.children];
    if (!items.length) return;
    at = (at + step + items.length) % items.length;
    items.forEach((item, n) => item.setAttribute("aria-selected", String(n === at)));
    items[at].scrollIntoView({ block: "nearest" });
    input.setAttribute("aria-activedescendant", items[at].id);
  };

  async function search() {
    const mine = ++asked;
    const words = input.value.trim();
    if (!words) { close(); return; }
    const answer = await ask(`${form.dataset.url}?q=${encodeURIComponent(words)}`, { Accept: "application/json" });
    if (!answer.ok || mine !== asked) return;
    const found = (await answer.json()).entities;
    list.replaceChildren(...found.map((each, n) => {
      const item = document.createElement("li");
      item.id = `found-${n}`;
      item.setAttribute("role", "option");
      item.setAttribute("aria-selected", "false");
      item.dataset.key = each.key;
      item.dataset.name = each.name;
      const name = document.createElement("span");
      name.textContent = each.name;
      const kind = document.createElement("span");
      kind.className = "soft";
      kind.textContent = each.type;
      item.append(name, kind);
      item.addEventListener("click", () => take(item));
      return item;
    }));
    at = -1;
    list.hidden = !found.length;
    input.setAttribute("aria-expanded", String(found.length > 0));
  }

  let waiting = 0;
  input.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(search, 150); });
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") { event.preventDefault(); mark(1); }
    else if (event.key === "ArrowUp") { event.preventDefault(); mark(-1); }
    else if (event.key === "Escape") close();
    else if (event.key === "Enter" && !list.hidden) { event.preventDefault(); take(list.children[Math.max(at, 0)]); }
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    await search();
    if (list.children.length) take(list.children[0]);
  });
  document.addEventListener("click", (event) => { if (!form.contains(event.target)) close(); });
}

const place = document.querySelector("[data-graph]");
const given = document.getElementById("graph-data");
if (place && given && window.Sigma && window.graphology && hasWebGL()) draw(place, JSON.parse(given.textContent));
else document.getElementById("table-twin")?.setAttribute("open", "");
