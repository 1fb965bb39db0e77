'use strict';
// The list of cases: which are shown, and which one is open.

const rows = [...document.querySelectorAll('.row')];
const filters = document.getElementById('filters').elements;
/** The row of the open case. */
let openRow = null;

const shownRows = () => rows.filter((row) => !row.parentElement.hidden);

function matches(row) {
    const {suite, state, title} = row.dataset;
    const wanted = filters.state.value;
    return (filters.suite.value === '' || filters.suite.value === suite)
        && (wanted === '' || (wanted === 'not passed' ? state !== 'passed' : state === wanted))
        && title.toLowerCase().includes(filters.name.value.toLowerCase());
}

function applyFilters() {
    for (const row of rows) row.parentElement.hidden = !matches(row);
    filters.shown.value = `${shownRows().length} of ${rows.length}`;
}

/** Opens a case: its text, and its pictures where there are any. */
function open(row) {
    openRow?.removeAttribute('aria-current');
    openRow = row;
    row.setAttribute('aria-current', 'true');
    row.scrollIntoView({block: 'nearest'});
    closeViewer();
    const page = document.getElementById('case');
    page.replaceChildren(document.getElementById(`case-${row.dataset.index}`).content.cloneNode(true));
    page.scrollTop = 0;
    // Not there where there are no pictures, or where the file is still being read.
    const pictures = document.getElementById(`pictures-${row.dataset.index}`);
    if (pictures) openViewer(page.querySelector('.pictures'), pictures.content.cloneNode(true));
    page.querySelector('.accept')?.addEventListener('click', () => toggleAccepted(row));
    for (const box of page.querySelectorAll('.box')) {
        box.addEventListener('click', () => viewer?.showBox(...box.dataset.bounds.split(',').map(Number)));
    }
    showAccepted();
}

/** Opens the case that stands `step` rows further among those that are shown. */
function move(step) {
    const shown = shownRows();
    if (shown.length === 0) return;
    const place = shown.indexOf(openRow);
    const next = place < 0 ? (step > 0 ? 0 : shown.length - 1) : Math.min(Math.max(place + step, 0), shown.length - 1);
    open(shown[next]);
    shown[next].focus({preventScroll: true});
}
