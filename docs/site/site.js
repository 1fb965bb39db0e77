// A link to a live page opens it in place; without scripts, and in another tab, it is a page of its own.
document.addEventListener('click', (event) => {
    const link = event.target.closest('a.loupe-inside');
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if (link.nextElementSibling) return link.nextElementSibling.remove();
    link.after(Object.assign(document.createElement('iframe'), {src: link.href, title: link.textContent, allow: 'clipboard-write'}));
});
