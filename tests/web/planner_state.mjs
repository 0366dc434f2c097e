// What the planner's panel of an open page shows.

export function plannerState(page) {
  return page.evaluate(() => ({
    set: window.saturn.planner.set, model: window.saturn.planner.model,
    rows: window.saturn.views.planner.data('rows').map((row) => ({ ...row })),
    drawn: document.querySelector('.planner-chart').innerHTML.match(/ d="[^"]*"/g),
    answers: Object.fromEntries([...document.querySelectorAll('.planner-answers tbody tr')]
      .map((row) => [row.cells[0].firstChild.textContent, [row.cells[1].textContent, row.cells[2].textContent]])),
    keys: Object.fromEntries([...document.querySelectorAll('.planner-answers tbody tr')]
      .map((row) => [row.cells[0].firstChild.textContent, row.cells[3].textContent])),
    use: Object.fromEntries([...document.querySelectorAll('.planner-use tbody tr')]
      .map((row) => [row.cells[0].textContent, row.cells[2].textContent])),
    hash: location.hash,
  }));
}

// Until the chart shows the setting.
export const settle = (page) => page.evaluate(() => window.saturn.planner.work);
