'use strict';
// What the scripts of all pages share: the page's data, and elements made from it. Data becomes text and attributes,
// never markup.

const data = JSON.parse(document.getElementById('data').textContent);

/**
 * A new HTML element. Children are elements or text.
 * @param {string} name
 * @param {Record<string, string>} attributes
 * @param {...(Node | string)} children
 */
function element(name, attributes, ...children) {
    return filled(document.createElement(name), attributes, children);
}

/**
 * Gives an element its attributes and children.
 * @param {Element} node
 * @param {Record<string, string>} attributes
 * @param {(Node | string)[]} children
 */
function filled(node, attributes, children) {
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    node.append(...children);
    return node;
}

/**
 * Gives the reader a file.
 * @param {Blob} blob
 * @param {string} name
 */
function download(blob, name) {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    // The browser reads the file after the click.
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
