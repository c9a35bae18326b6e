/**
 * Keeps the page working when others change its DOM. It runs in the head of the page, before React.
 *
 * A translator replaces text nodes by its own elements, and an extension wraps, moves or removes elements. React still
 * holds the original nodes: removing one, or inserting beside it, throws and takes the whole page, and a change of a
 * replaced text never becomes visible. Here an observer remembers what replaced a node. When the app changes, moves or
 * removes the node, the original is put back first, and a translator then translates it anew.
 */

import { servedDocument, servedPage } from "../lib/browser/served-page.ts";

/** Nodes of the page, in their order, and the nodes that somebody else put in their place. */
interface Replacement {
  originals: ChildNode[];
  substitutes: ChildNode[];
}

/** A run of removed nodes between two siblings, for which no substitute has been found yet. */
interface Gap {
  target: Node;
  previous: Node | null;
  next: Node | null;
  nodes: ChildNode[];
}

/** The replacement of an original or of a substitute. */
const replacements = new WeakMap<Node, Replacement>();

/** Replacements in a prerendered page; undefined from the moment when the app takes the page over. */
let beforeApp: Set<Replacement> | undefined = new Set();

/** React marks the nodes that it created or hydrated. */
const isOfApp = (node: Node) => Object.keys(node).some((key) => key.startsWith("__reactFiber"));

const isOriginal = (node: Node) =>
  replacements.has(node) || isOfApp(node) || (beforeApp !== undefined && node.nodeType === Node.TEXT_NODE);

function join(nodes: ChildNode[], substitutes: ChildNode[], first = false) {
  const [node, substitute] = [nodes[0], substitutes[0]];
  if (!node || !substitute) return;
  const replacement = replacements.get(substitute) ?? replacements.get(node) ?? { originals: [], substitutes: [] };
  for (const other of substitutes) if (!replacement.substitutes.includes(other)) replacement.substitutes.push(other);
  // A replaced substitute is not an original.
  const newNodes = nodes.filter((one) => ![...replacement.originals, ...replacement.substitutes].includes(one));
  replacement.originals[first ? "unshift" : "push"](...newNodes);
  for (const one of [...newNodes, ...substitutes]) replacements.set(one, replacement);
  // The app may change a text while it is outside the document.
  for (const one of newNodes) observer.observe(one, { characterData: true });
  beforeApp?.add(replacement);
}

/** Finds what replaced which node. The mutations of one batch belong together, e.g. an insertion and a removal. */
function findReplacements(records: MutationRecord[]) {
  const inserted = new Set<Node | null>();
  const gaps: Gap[] = [];
  for (const { target, addedNodes, removedNodes, previousSibling: previous, nextSibling: next } of records) {
    const removedOriginals = ([...removedNodes] as ChildNode[]).filter(isOriginal);
    const foreignNodes = ([...addedNodes] as ChildNode[]).filter((node) => !isOfApp(node) && !replacements.has(node));
    for (const node of foreignNodes) inserted.add(node);
    if (removedOriginals.length > 0 && foreignNodes.length > 0) join(removedOriginals, foreignNodes);
    else if (removedOriginals.length > 0) {
      if (inserted.has(previous)) join(removedOriginals, [previous as ChildNode]);
      else if (inserted.has(next)) join(removedOriginals, [next as ChildNode], true);
      else {
        const before = gaps.find(
          (gap) => gap.target === target && gap.next === removedOriginals[0] && gap.previous === previous,
        );
        const after = gaps.find(
          (gap) => gap.target === target && gap.previous === removedOriginals.at(-1) && gap.next === next,
        );
        if (before) Object.assign(before, { next, nodes: [...before.nodes, ...removedOriginals] });
        else if (after) Object.assign(after, { previous, nodes: [...removedOriginals, ...after.nodes] });
        else gaps.push({ target, previous, next, nodes: removedOriginals });
      }
    } else if (foreignNodes.length > 0) {
      const gap = gaps.find((gap) => gap.target === target && gap.previous === previous && gap.next === next);
      if (gap) join(gap.nodes, foreignNodes);
    }
  }
}

function follow(records: MutationRecord[]) {
  // While the page is parsed, nodes are only added.
  if (records.some(({ removedNodes }) => removedNodes.length > 0)) findReplacements(records);
  for (const { type, target } of records) if (type === "characterData" && !target.parentNode) restore(target);
}

/** Puts the originals back in place of their substitutes. */
function restore(node: Node) {
  const replacement = replacements.get(node);
  if (!replacement) return;
  const { originals, substitutes } = replacement;
  const place = substitutes.find(({ parentNode }) => parentNode);
  for (const one of [...originals, ...substitutes]) replacements.delete(one);
  for (const one of originals) if (!one.parentNode || place?.contains(one)) place?.before(one);
  for (const one of substitutes) one.remove();
}

const observer = new MutationObserver(follow);
observer.observe(document, { childList: true, subtree: true });

/** Removes the elements that an extension has inserted, and takes those of the server out of its wrappers. */
function removeForeign(page: HTMLElement, served: WeakSet<Element>) {
  for (const element of page.querySelectorAll("*")) {
    if (served.has(element)) continue;
    element.replaceWith(...[...element.children].filter((child) => served.has(child) || child.querySelector("*")));
  }
}

// The app takes over a prerendered page as the server sent it.
servedDocument().restoreTexts = () => {
  follow(observer.takeRecords());
  for (const { originals } of beforeApp ?? []) if (originals[0]) restore(originals[0]);
  beforeApp = undefined;
  const page = servedPage();
  if (page?.elements) removeForeign(page, page.elements);
};

const { appendChild, insertBefore, removeChild } = Node.prototype;

/** Prepares a node that the app moves or removes. */
function reclaim(node: Node) {
  follow(observer.takeRecords());
  restore(node);
}

Node.prototype.appendChild = function <Child extends Node>(this: Node, node: Child): Child {
  if (replacements.has(node)) reclaim(node);
  return appendChild.call(this, node) as Child;
};

Node.prototype.insertBefore = function <Child extends Node>(this: Node, node: Child, next: Node | null): Child {
  if (replacements.has(node)) reclaim(node);
  let sibling = next;
  if (sibling && sibling.parentNode !== this) {
    // Inside an element that somebody put around it, or replaced, or gone.
    if (!this.contains(sibling)) reclaim(sibling);
    while (sibling && sibling.parentNode !== this) sibling = sibling.parentNode;
  }
  return insertBefore.call(this, node, sibling) as Child;
};

Node.prototype.removeChild = function <Child extends Node>(this: Node, child: Child): Child {
  if (child.parentNode !== this || replacements.has(child)) reclaim(child);
  const { parentNode } = child;
  return parentNode ? (removeChild.call(parentNode, child) as Child) : child;
};
