import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Returned } from "../../../../shared/database.ts";
import { dateFormat } from "../../../../shared/date-format.ts";
import { useFind } from "../../../lib/browser/use-find.ts";
import { localeOf } from "../../../lib/formatting/locale.ts";
import { supabase } from "../../../lib/request/supabase.ts";
import { paths } from "../../../paths.ts";
import { Button } from "../../../ui/Button.tsx";
import { Empty } from "../../../ui/Empty.tsx";
import { SearchField } from "../../../ui/SearchField.tsx";
import { TextField } from "../../../ui/TextField.tsx";
import { DeskList } from "../DeskTable.tsx";
import { ROW_LINK } from "../Shortcuts.tsx";
import { useChoices } from "../use-choices.ts";
import { type AuditRow, auditQuery, isId, namesQuery } from "./audit.queries.ts";

type Names = ReadonlyMap<string, Returned<"desk_names">[number]>;

/** Staff actions, filtered by action, subject, actor and day, each with its changes. */
export function AuditLog() {
  const { t, i18n } = useTranslation("admin");
  const { text, find, setText } = useFind();
  const [choices, choose] = useChoices(["actor", "since", "until"]);
  const rows = useInfiniteQuery(auditQuery(supabase, { find, ...choices }));
  const ids = [
    ...new Set([choices.actor, ...(rows.data ?? []).flatMap(({ actor, subject }) => [actor ?? "", subject])]),
  ];
  const names = useQuery(namesQuery(supabase, ids.filter(isId).sort()));
  return (
    <div className="grid gap-5">
      <div className="flex flex-wrap items-end gap-4">
        <SearchField label={t("audit.find")} value={text} onChange={setText} className="min-w-0 grow basis-72" />
        {(["since", "until"] as const).map((name) => (
          <TextField
            key={name}
            type="date"
            label={t(`audit.${name}`)}
            value={choices[name]}
            onChange={({ target }) => choose(name, target.value)}
            className="min-w-0 max-sm:grow max-sm:basis-48"
          />
        ))}
      </div>
      {choices.actor && (
        <Button variant="quiet" size="small" className="justify-self-start" onClick={() => choose("actor", "")}>
          {t("audit.only", { name: nameOf(choices.actor, names.data) ?? t("audit.gone") })}
          <X aria-hidden className="size-4" />
        </Button>
      )}
      <DeskList
        pages={rows}
        empty={<Empty picture="done" title={t("audit.empty")} text={t("audit.emptyText")} />}
        caption={t("sections.audit")}
        keyOf={({ id }) => id}
        columns={[
          { head: t("audit.what"), cell: (row) => <Change row={row} names={names.data} /> },
          {
            head: t("audit.who"),
            cell: ({ role, actor }) => (
              <Actor role={role} actor={actor} names={names.data} onChoose={(id) => choose("actor", id)} />
            ),
          },
          { head: t("audit.where"), cell: ({ address }) => <Address address={address} /> },
          {
            head: t("audit.when"),
            cell: ({ happened_at }) => (
              <time dateTime={happened_at}>
                {dateFormat(localeOf(i18n.language), { dateStyle: "long", timeStyle: "short" }).format(
                  new Date(happened_at),
                )}
              </time>
            ),
          },
        ]}
      />
    </div>
  );
}

const nameOf = (id: string, names: Names | undefined) => {
  const person = names?.get(id);
  return person && (person.email || person.full_name);
};

interface ActorProps extends Pick<AuditRow, "role" | "actor"> {
  names: Names | undefined;
  onChoose: (id: string) => void;
}

/** The actor's current name, or a text for a deleted account. A click filters by the actor. */
function Actor({ role, actor, names, onChoose }: ActorProps) {
  const { t } = useTranslation("admin");
  if (!actor) return t("audit.commandLine");
  return (
    <>
      <Button
        variant="plain"
        size="small"
        className="-ms-4 text-start max-md:-me-4 max-md:text-end"
        onClick={() => onChoose(actor)}
      >
        {nameOf(actor, names) ?? (names ? t("audit.gone") : "…")}
      </Button>
      <span className="block text-sm text-ink-soft">
        {role} <span className="font-mono">{actor.slice(0, 8)}</span>
      </span>
    </>
  );
}

/** An address of the internet. The short ones, of IPv4, stay on one line. */
const Address = ({ address }: Pick<AuditRow, "address">) => (
  <span className={address?.includes(":") ? "wrap-anywhere" : "whitespace-nowrap"}>{address ?? "–"}</span>
);

/** The action and its subject. Expanding it shows the values before and after the change. */
function Change({ row, names }: { row: AuditRow; names: Names | undefined }) {
  const { t } = useTranslation("admin");
  const { action, subject, before, after, reason } = row;
  const person = names?.get(subject);
  return (
    <details className="text-start font-normal">
      <summary className="cursor-pointer" {...ROW_LINK}>
        <span className="font-semibold">{action}</span>{" "}
        {person ? <span>{person.email}</span> : <span className="font-mono text-sm">{subject}</span>}
      </summary>
      <dl className="mt-2 mb-0 grid gap-x-4 gap-y-1 text-sm md:grid-cols-[auto_1fr]">
        {reason && <Value name={t("audit.reason")}>{reason}</Value>}
        {before !== null && <Value name={t("audit.before")}>{JSON.stringify(before)}</Value>}
        {after !== null && <Value name={t("audit.after")}>{JSON.stringify(after)}</Value>}
      </dl>
      {person && (
        <Link to={paths.admin("people", subject)} className="mt-2 inline-block text-sm">
          {t("audit.person")}
        </Link>
      )}
    </details>
  );
}

const Value = ({ name, children }: { name: string; children: string }) => (
  <div className="contents">
    <dt className="text-ink-soft">{name}</dt>
    <dd className="m-0 font-mono wrap-anywhere">{children}</dd>
  </div>
);
