import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { classNames } from "../../ui/class-names.ts";
import { LoadMore, type Pages } from "../../ui/LoadMore.tsx";
import { Problem } from "../../ui/Problem.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";

export interface Column<Row> {
  head: string;
  cell: (row: Row) => ReactNode;
  /** `end` for numbers and money. */
  align?: "end";
}

interface DeskTableProps<Row> {
  /** The table's accessible name. */
  caption: string;
  /** The columns. The first one names the row; its link needs {@link ROW_LINK}. */
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string | number;
}

/** A table whose rows become cards on a phone. */
export function DeskTable<Row>({ caption, columns, rows, keyOf }: DeskTableProps<Row>) {
  return (
    <table className="w-full border-collapse text-start max-md:block">
      <caption className="sr-only">{caption}</caption>
      <thead className="max-md:sr-only">
        <tr>
          {columns.map(({ head, align }) => (
            <th
              key={head}
              scope="col"
              className={classNames(
                "border-b border-line px-3 py-2 text-sm font-semibold text-ink-soft",
                align === "end" ? "text-end" : "text-start",
              )}
            >
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="max-md:grid max-md:gap-3">
        {rows.map((row) => (
          <tr
            key={keyOf(row)}
            className="focus-within:bg-wash hover:bg-wash max-md:grid max-md:gap-1 max-md:rounded-2xl max-md:border max-md:border-line max-md:bg-raised max-md:p-4"
          >
            {columns.map(({ head, cell, align }, place) => {
              const content = cell(row);
              const Cell = place === 0 ? "th" : "td";
              return (
                <Cell
                  key={head}
                  {...(place === 0 ? { scope: "row" as const } : {})}
                  data-head={head}
                  className={classNames(
                    "align-baseline wrap-anywhere md:border-b md:border-line md:px-3 md:py-3",
                    "max-md:flex max-md:justify-between max-md:gap-4 max-md:text-end",
                    "max-md:before:max-w-1/2 max-md:before:shrink-0 max-md:before:text-sm max-md:before:text-ink-soft max-md:before:content-[attr(data-head)]",
                    place === 0 ? "text-start font-semibold" : "font-normal",
                    align === "end" && "text-end tabular-nums",
                  )}
                >
                  <span className="min-w-0">{content}</span>
                </Cell>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface DeskListProps<Row> extends Omit<DeskTableProps<Row>, "rows"> {
  pages: Pages & Pick<UseInfiniteQueryResult<readonly Row[]>, "data" | "isPending" | "isLoadingError" | "refetch">;
  /** Shown if there are no rows. */
  empty: ReactNode;
  /** Whether the page has several lists, for which the skeleton is shorter. */
  short?: boolean;
}

/** A paged list with its loading, failed and empty states. */
export function DeskList<Row>({ pages, empty, short, ...table }: DeskListProps<Row>) {
  const { data, isPending, isLoadingError, refetch } = pages;
  return (
    <>
      {isPending && <Skeleton className={classNames("rounded-3xl", short ? "h-40" : "h-96")} />}
      {isLoadingError && <DeskProblem retry={refetch} />}
      {data && (data.length === 0 ? empty : <DeskTable {...table} rows={data} />)}
      <LoadMore pages={pages} />
    </>
  );
}

/** The failed state of a part of the desk. */
export function DeskProblem({ retry }: { retry: () => unknown }) {
  const { t } = useTranslation("admin");
  return <Problem error={new Error(t("failed"))} retry={retry} />;
}
