import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useNavigate } from "react-router";
import { deviceName } from "../../../../shared/device-name.ts";
import { moneyText } from "../../../../shared/money.ts";
import { sizeText } from "../../../../shared/storage.ts";
import { dateText, localeOf } from "../../../lib/formatting/locale.ts";
import { supabase } from "../../../lib/request/supabase.ts";
import { useUser } from "../../../lib/session/session.ts";
import { paths } from "../../../paths.ts";
import { Button } from "../../../ui/Button.tsx";
import { Empty } from "../../../ui/Empty.tsx";
import { Panel } from "../../../ui/Panel.tsx";
import { Skeleton } from "../../../ui/Skeleton.tsx";
import { DeskProblem, DeskTable } from "../DeskTable.tsx";
import { Facts, Mark } from "../Facts.tsx";
import { ROW_LINK } from "../Shortcuts.tsx";
import { ActDialog, type ActName } from "./ActDialog.tsx";
import { Notes } from "./Notes.tsx";
import { type AccountDetails, personQuery } from "./people.queries.ts";

/** An account's data and an administrator's actions, without any content of its memories. */
export function Person({ id }: { id: string }) {
  const { t } = useTranslation("adminPeople");
  const person = useQuery(personQuery(supabase, id));
  if (person.isPending) return <Skeleton className="h-96 rounded-3xl" />;
  if (person.isLoadingError) return <DeskProblem retry={person.refetch} />;
  if (!person.data) return <Empty picture="signpost" title={t("gone.title")} text={t("gone.text")} />;
  return <Account person={person.data} />;
}

function Account({ person }: { person: AccountDetails }) {
  const { t } = useTranslation("adminPeople");
  const [doing, setDoing] = useState<{ act: ActName; subscription?: string }>();
  const navigate = useNavigate();
  const user = useUser();
  const canAct = user.role === "admin" && user.id !== person.id;
  const acts: ActName[] = [
    ...(person.email && !person.suspended ? (["sign-in-link"] as const) : []),
    "address",
    "plan",
    ...(person.email ? (["role"] as const) : []),
    person.suspended ? "let_back" : "suspend",
    "erase",
  ];
  return (
    <div className="grid gap-5">
      <p className="-mt-3 text-xl wrap-anywhere">{person.full_name || person.email || person.id}</p>
      {(person.suspended || person.role) && (
        <p className="flex flex-wrap gap-2">
          {person.suspended && <Mark tone="danger">{t("suspended")}</Mark>}
          {person.role && <Mark>{t(`roles.${person.role}`)}</Mark>}
        </p>
      )}
      {canAct && (
        <div className="flex flex-wrap gap-2">
          {acts.map((act) => (
            <Button
              key={act}
              size="small"
              variant={act === "erase" ? "danger" : "quiet"}
              onClick={() => setDoing({ act })}
            >
              {t(`acts.${act}.open`)}
            </Button>
          ))}
        </div>
      )}
      {user.id === person.id && <p className="text-ink-soft">{t("own")}</p>}
      <div className="grid gap-5 xl:grid-cols-2">
        <About person={person} />
        <Holdings
          person={person}
          onEnd={canAct ? (subscription) => setDoing({ act: "end_plan", subscription }) : undefined}
        />
      </div>
      <Orders orders={person.orders} />
      <Sessions person={person} />
      <Notes userId={person.id} />
      {user.role === "admin" && (
        <p>
          <Link to={`${paths.admin("audit")}?find=${person.id}`}>{t("audit")}</Link>
        </p>
      )}
      {doing && (
        <ActDialog
          {...doing}
          person={person}
          onClose={() => setDoing(undefined)}
          onErased={() => navigate(paths.admin("people"), { replace: true })}
        />
      )}
    </div>
  );
}

/** Formats dates and times. */
function useMoments() {
  const locale = localeOf(useTranslation().i18n.language);
  const time = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });
  return {
    locale,
    day: (moment: string | null) => moment && dateText(moment, locale),
    time: (moment: string) => time.format(new Date(moment)),
  };
}

function About({ person }: { person: AccountDetails }) {
  const { t } = useTranslation("adminPeople");
  const { day } = useMoments();
  return (
    <Panel compact title={t("about.title")}>
      <Facts
        facts={[
          [t("about.name"), person.full_name],
          [t("about.email"), person.email],
          [t("about.phone"), person.phone && `+${person.phone}`],
          [t("about.confirmed"), t(person.confirmed ? "yes" : "no")],
          [t("about.since"), day(person.created_at)],
          [t("about.lastSeen"), day(person.last_sign_in_at)],
          [t("about.language"), person.language],
          [t("about.providers"), person.providers.join(", ")],
          [
            t("about.factors"),
            person.factors
              .filter(({ status }) => status === "verified")
              .map(({ type }) => t(`factors.${type}`))
              .join(", ") || t("about.noFactors"),
          ],
          [t("about.id"), person.id],
        ]}
      />
    </Panel>
  );
}

function Holdings({ person, onEnd }: { person: AccountDetails; onEnd: ((subscription: string) => void) | undefined }) {
  const { t } = useTranslation("adminPeople");
  const { locale, day } = useMoments();
  const { counts, plan, stored, plans } = person;
  return (
    <Panel compact title={t("has.title")}>
      <Facts
        facts={[
          [t("has.memories"), counts.memories],
          [t("has.inTrash"), counts.in_trash || null],
          [t("has.photos"), counts.photos],
          [t("has.videos"), counts.videos],
          [t("has.storage"), `${sizeText(stored, locale)} / ${sizeText(plan.storage_bytes, locale)}`],
          [t("has.plan"), plan.expires_at ? t("has.until", { plan: plan.name, day: day(plan.expires_at) }) : plan.name],
        ]}
      />
      {plans.length > 0 && (
        <ul className="m-0 grid list-none gap-2 border-t border-line p-0 pt-4">
          {plans.map((one) => (
            <li key={one.id} className="flex flex-wrap items-center justify-between gap-x-4">
              <span>
                {one.name}, {t(`plans.${one.status}`)}
                <span className="block text-sm text-ink-soft">
                  {day(one.starts_at)} – {day(one.expires_at)}
                </span>
              </span>
              {onEnd && one.order_id === null && (one.status === "active" || one.status === "waiting") && (
                <Button size="small" variant="plain" onClick={() => onEnd(one.id)}>
                  {t("acts.end_plan.open")}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

function Orders({ orders }: Pick<AccountDetails, "orders">) {
  const { t } = useTranslation("adminPeople");
  const { day } = useMoments();
  return (
    <Panel compact title={t("orders.title")}>
      {orders.length === 0 ? (
        <p className="text-ink-soft">{t("orders.none")}</p>
      ) : (
        <DeskTable
          caption={t("orders.title")}
          rows={orders}
          keyOf={({ id }) => id}
          columns={[
            {
              head: t("orders.number"),
              cell: ({ id, number }) => (
                <Link to={paths.admin("orders", id)} {...ROW_LINK}>
                  {number}
                </Link>
              ),
            },
            { head: t("orders.state"), cell: ({ status }) => t(`orders.${status}`) },
            { head: t("orders.day"), cell: ({ created_at }) => day(created_at) },
            {
              head: t("orders.total"),
              align: "end",
              cell: ({ total, refunded, currency }) => (
                <>
                  {moneyText(total, currency)}
                  {refunded > 0 && (
                    <span className="block text-sm text-ink-soft">{moneyText(-refunded, currency)}</span>
                  )}
                </>
              ),
            },
          ]}
        />
      )}
    </Panel>
  );
}

function Sessions({ person: { sessions } }: { person: AccountDetails }) {
  const { t } = useTranslation("adminPeople");
  const { time } = useMoments();
  return (
    <Panel compact title={t("sessions.title")}>
      {sessions.length === 0 ? (
        <p className="text-ink-soft">{t("sessions.none")}</p>
      ) : (
        <DeskTable
          caption={t("sessions.title")}
          rows={sessions}
          keyOf={({ id }) => id}
          columns={[
            { head: t("sessions.device"), cell: ({ user_agent }) => deviceName(user_agent) || t("sessions.unknown") },
            { head: t("sessions.from"), cell: ({ ip }) => ip || "–" },
            { head: t("sessions.since"), cell: ({ created_at }) => time(created_at) },
            { head: t("sessions.seen"), cell: ({ last_seen_at }) => time(last_seen_at) },
          ]}
        />
      )}
    </Panel>
  );
}
