// The accept list: which pictures a person has found right, and the file that tells `verify --accept`.

const accepted = new Set();
const listText = document.getElementById('list');

function toggleAccepted(row) {
    if (row.dataset.hash === '') return;
    if (!accepted.delete(row)) accepted.add(row);
    showAccepted();
}

function acceptList() {
    const cases = rows.filter((row) => accepted.has(row))
        .map((row) => ({scene: row.dataset.scene, picture: row.dataset.hash}));
    return JSON.stringify({format: document.body.dataset.format, cases}, null, 2) + '\n';
}

function showAccepted() {
    for (const row of rows) row.querySelector('.accepted').hidden = !accepted.has(row);
    document.querySelector('.accept')?.setAttribute('aria-pressed', String(accepted.has(openRow)));
    document.getElementById('accepted-count').value = String(accepted.size);
    listText.value = acceptList();
    document.getElementById('copied').textContent = '';
}

function download() {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([acceptList()], {type: 'application/json'}));
    link.download = 'accept.json';
    link.click();
    // The browser reads it after the click.
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

async function copy() {
    listText.select();
    const status = document.getElementById('copied');
    try {
        await navigator.clipboard.writeText(listText.value);
        status.textContent = 'copied';
    } catch {
        status.textContent = 'selected; press Ctrl+C';
    }
}

document.getElementById('download').addEventListener('click', download);
document.getElementById('copy').addEventListener('click', copy);
