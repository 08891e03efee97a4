import { html, raw } from 'hono/html'
import { findNumericColumns, getColumnName, readTableStart } from '../../shared/table.ts'
import { VIEW_STYLES } from '../../ui/assets.generated.ts'

/** Columns in the page. A script shows the others. */
const MAX_COLUMNS = 40

interface FirstRowsProps {
  readonly content: string
  readonly language: string
  /** Is null if there is no other page with the text. */
  readonly sourcePath: string | null
}

/**
 * The beginning of a table, in the same markup as src/client/data/data-view.ts, which replaces it with the whole table. The
 * styles hide it once the viewer shows something else.
 */
export const FirstRows = ({ content, language, sourcePath }: FirstRowsProps) => {
  const { header, rows, isComplete } = readTableStart(content, language)
  const columns = (header.length > 0 ? header : (rows[0] ?? []).map(() => '')).slice(0, MAX_COLUMNS)
  const numeric = findNumericColumns(rows, columns.length)
  const getClass = (column: number) => raw(numeric[column] ? ' class="number"' : '')
  return (
    <>
      <link rel="stylesheet" href={VIEW_STYLES} />
      <div class="table-view first-rows">
        <div class="view-bar strip row apart quiet-text">
          {/* With scripts, there is a switch. */}
          <noscript>{sourcePath !== null && <a href={sourcePath}>Source</a>}</noscript>
          {!isComplete && <span>First {rows.length} rows</span>}
        </div>
        {/* biome-ignore lint/a11y/useSemanticElements: browsers would look for the colours of code in each cell of a section. */}
        <div class="table-scroller" role="region" aria-label="Table" tabindex={0}>
          <table>
            <thead>
              <tr>
                <td class="row-number" />
                {columns.map(
                  (cell, column) =>
                    html`<th scope="col"${getClass(column)}>${getColumnName(cell, column)}</th>`,
                )}
              </tr>
            </thead>
            <tbody>
              {/* Thousands of cells take several times as long in JSX. */}
              {rows.map((row, index) => {
                const getCell = (_: string, column: number) =>
                  html`<td dir="auto"${getClass(column)}>${row[column]}</td>`
                return html`<tr><td class="row-number">${index + 1}</td>${columns.map(getCell)}</tr>`
              })}
            </tbody>
          </table>
        </div>
      </div>
    </>
  )
}
