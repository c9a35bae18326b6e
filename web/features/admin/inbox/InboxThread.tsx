import { useQuery } from "@tanstack/react-query";
import DOMPurify from "dompurify";
import { type FormEvent, type ReactNode, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { localeOf } from "../../../lib/formatting/locale.ts";
import { supabase } from "../../../lib/request/supabase.ts";
import { useUser } from "../../../lib/session/session.ts";
import { paths } from "../../../paths.ts";
import { Button } from "../../../ui/Button.tsx";
import { Empty } from "../../../ui/Empty.tsx";
import { Form } from "../../../ui/Form.tsx";
import { Panel } from "../../../ui/Panel.tsx";
import { SegmentedControl } from "../../../ui/SegmentedControl.tsx";
import { SelectField } from "../../../ui/SelectField.tsx";
import { Skeleton } from "../../../ui/Skeleton.tsx";
import { TextArea } from "../../../ui/TextArea.tsx";
import { toast } from "../../../ui/toasts.tsx";
import { DeskProblem } from "../DeskTable.tsx";
import { Facts, Mark } from "../Facts.tsx";
import { type InboxThread as Item, STATES, threadQuery, useInboxAct } from "./inbox.queries.ts";
import { SettleReport } from "./SettleReport.tsx";

/** A message or report with its answers, notes and actions. */
export function InboxThread({ id }: { id: string }) {
  const { t } = useTranslation("adminInbox");
  const thread = useQuery(threadQuery(supabase, id));
  if (thread.isPending) return <Skeleton className="h-96 rounded-3xl" />;
  if (thread.isLoadingError) return <DeskProblem retry={thread.refetch} />;
  if (!thread.data) return <Empty picture="signpost" title={t("gone.title")} text={t("gone.text")} />;
  return <Thread item={thread.data} />;
}

function Thread({ item }: { item: Item }) {
  const { t } = useTranslation(["adminInbox", "reports"]);
  const { message, report } = item;
  const email = message?.email ?? report?.email;
  return (
    <div className="grid gap-5">
      <p className="-mt-3 flex flex-wrap items-center gap-3 text-xl wrap-anywhere">
        {message?.subject ?? t(`reports:reasons.${report?.reason ?? "other"}`)} <Mark>{t(`states.${item.state}`)}</Mark>
      </p>
      <Handling item={item} />
      {report && <ReportPanel item={item} report={report} />}
      <Panel compact title={t("conversation")}>
        <ol className="m-0 grid list-none gap-4 p-0">
          <Said by={message ? `${message.name} · ${message.email}` : t("reporter")} at={item.created_at}>
            {message ? <Html html={message.html} /> : <Words>{report?.words || t("noWords")}</Words>}
          </Said>
          {item.entries.map(({ id, kind, body, author, created_at, mail }) => (
            <Said
              key={id}
              kind={kind}
              by={`${t(`entries.${kind}`)} · ${author?.name ?? t("formerStaff")}`}
              at={created_at}
              after={kind === "answer" && mail && t(`mail.${mail}`)}
            >
              <Words>{body}</Words>
            </Said>
          ))}
        </ol>
        <p className="text-sm text-ink-soft">{t("replies")}</p>
      </Panel>
      <WriteEntry item={item.id} canAnswer={Boolean(email)} />
    </div>
  );
}

/** The item's state and assignee. A report is closed by a decision, not here. */
function Handling({ item }: { item: Item }) {
  const { t } = useTranslation("adminInbox");
  const user = useUser();
  const act = useInboxAct(supabase, item.id);
  const change = (change: Parameters<typeof act.mutate>[0]) =>
    act.mutate(change, { onError: () => toast({ title: t("changeFailed"), tone: "problem" }) });
  const states = STATES.filter((state) => !item.report || state === item.state || state !== "closed");
  return (
    <div className="grid max-w-xl grid-cols-2 gap-3">
      <SelectField
        label={t("state")}
        value={item.state}
        disabled={item.report !== null && item.state === "closed"}
        onChange={({ target }) => change({ change: { state: target.value as Item["state"] } })}
        options={states.map((state) => [state, t(`states.${state}`)] as const)}
      />
      <SelectField
        label={t("assignee")}
        value={item.assignee ?? ""}
        onChange={({ target }) => change({ change: { assignee: target.value || null } })}
        options={[
          ["", t("nobody")],
          ...item.staff.map(({ id, name }) => [id, id === user.id ? t("me", { name }) : name] as const),
        ]}
      />
    </div>
  );
}

function ReportPanel({ item, report }: { item: Item; report: NonNullable<Item["report"]> }) {
  const { t } = useTranslation(["adminInbox", "reports"]);
  const person = (one: { id: string; name: string } | null) =>
    one && <Link to={paths.admin("people", one.id)}>{one.name}</Link>;
  return (
    <Panel compact title={t("report.title")}>
      <Facts
        facts={[
          [t("report.item"), t(`items.${report.kind}`)],
          [t("report.state"), t(`itemStates.${report.item_state}`)],
          [t("report.reason"), t(`reports:reasons.${report.reason}`)],
          [t("report.by"), person(report.reporter) ?? (report.guest ? t("report.guest") : t("report.visitor"))],
          [t("report.email"), report.email],
          [t("report.owner"), person(report.owner)],
          [t("report.author"), person(report.author)],
          [
            t("report.counts"),
            t("report.countsText", { item: report.of_item, memory: report.of_memory, owner: report.of_owner }),
          ],
          [t("report.outcome"), report.outcome && t(`outcomes.${report.outcome}`)],
          [t("report.settledBy"), person(report.settled_by)],
        ]}
      />
      <p className="text-sm text-ink-soft">{t("report.private")}</p>
      <SettleReport id={item.id} report={report} />
    </Panel>
  );
}

interface SaidProps {
  by: string;
  at: string;
  kind?: "answer" | "note";
  after?: string | null | false;
  children: ReactNode;
}

/** An entry of the conversation; those of staff have another background. */
function Said({ by, at, kind, after, children }: SaidProps) {
  const { i18n } = useTranslation();
  const moment = new Intl.DateTimeFormat(localeOf(i18n.language), { dateStyle: "medium", timeStyle: "short" });
  return (
    <li
      className={`grid gap-2 rounded-2xl border p-4 sm:p-5 ${kind === "note" ? "border-dashed border-edge" : kind ? "border-transparent bg-wash" : "border-line"}`}
    >
      <p className="flex flex-wrap justify-between gap-x-4 text-sm text-ink-soft">
        <span className="font-semibold wrap-anywhere">{by}</span>
        <span>
          <time dateTime={at}>{moment.format(new Date(at))}</time>
          {after && ` · ${after}`}
        </span>
      </p>
      {children}
    </li>
  );
}

const Words = ({ children }: { children: string }) => <p className="whitespace-pre-wrap wrap-anywhere">{children}</p>;

function Html({ html }: { html: string }) {
  const clean = useMemo(() => DOMPurify.sanitize(html), [html]);
  return (
    <div
      className="story wrap-anywhere"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the server cleaned it, and it is cleaned again above
      dangerouslySetInnerHTML={{ __html: clean }}
    />
  );
}

/** Writes an answer, which is emailed, or an internal note. */
function WriteEntry({ item, canAnswer }: { item: string; canAnswer: boolean }) {
  const { t } = useTranslation("adminInbox");
  const [kind, setKind] = useState<"answer" | "note">(canAnswer ? "answer" : "note");
  const [body, setBody] = useState("");
  const [missing, setMissing] = useState(false);
  // The same id prevents a second entry when a request is repeated.
  const [id, setId] = useState(() => crypto.randomUUID());
  const act = useInboxAct(supabase, item);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setMissing(!body.trim());
    if (!body.trim() || act.isPending) return;
    act.mutate(
      { write: kind, id, body: body.trim() },
      {
        onSuccess: () => {
          setBody("");
          setId(crypto.randomUUID());
          toast({ title: t(`written.${kind}`), tone: "success" });
        },
      },
    );
  };
  return (
    <Panel compact title={t("write")}>
      <Form onSubmit={submit} error={act.error && new Error(t("writeFailed"))}>
        {canAnswer ? (
          <div>
            <SegmentedControl
              label={t("write")}
              value={kind}
              onChange={setKind}
              options={(["answer", "note"] as const).map((value) => ({ value, label: t(`entries.${value}`) }))}
            />
          </div>
        ) : (
          <p className="text-ink-soft">{t("noAddress")}</p>
        )}
        <TextArea
          label={t(`fields.${kind}`)}
          value={body}
          onChange={({ target }) => setBody(target.value)}
          maxLength={10_000}
          className="w-full"
          {...(missing && !body.trim() ? { error: t("missing") } : {})}
        />
        <Button type="submit" className="justify-self-start" aria-busy={act.isPending} aria-disabled={act.isPending}>
          {t(`submit.${kind}`)}
        </Button>
      </Form>
    </Panel>
  );
}
