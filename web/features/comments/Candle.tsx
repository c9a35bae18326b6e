import { useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { numberText } from "../../../shared/number-text.ts";
import { useCommenter } from "../../actions/commenter.ts";
import { useOwner } from "../../data/outbox/use-outbox.ts";
import { localeOf } from "../../lib/formatting/locale.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { Button } from "../../ui/Button.tsx";
import { isBy } from "./comment.ts";
import { Flame } from "./Flame.tsx";
import { KindIcon } from "./KindIcon.tsx";
import { namesText } from "./names-text.ts";
import { ReactionNames } from "./ReactionNames.tsx";
import { useReact, useReactions } from "./reactions.queries.ts";

interface CandleProps {
  client: SupabaseClient;
  memory: { id: string; kind: "tribute" | "event" };
  rights: { comment: boolean; manage: boolean };
}

/** The candles or hearts of a memory, with a button to add one. */
export default function Candle({ client, memory, rights }: CandleProps) {
  const { t, i18n } = useTranslation("comments");
  const of = useMemo(() => ({ memoryId: memory.id, mediaId: null }), [memory.id]);
  const { me, mayComment, askName } = useCommenter(rights);
  const kind = memory.kind === "tribute" ? "candle" : "heart";
  const { reactions, waits } = useReactions(client, of, useOwner(me?.id));
  const [naming, setNaming] = useState(false);
  const react = useReact(client, of, me);
  const ownKind = reactions.filter((one) => one.kind === kind);
  const mine = ownKind.find((one) => isBy(one, me?.id));
  const names = namesText(
    ownKind.map(({ name }) => name),
    localeOf(i18n.language),
    { others: (count) => t("react.others", { count }), people: (count) => t("react.people", { count }) },
  );
  // Set while a visitor is asked for a name, so that the reaction then follows without a second press.
  const wished = useRef(false);
  const may = mayComment || askName !== undefined;
  const give = () => {
    if (mayComment) return react(kind, mine);
    wished.current = true;
    askName?.(() => {
      wished.current = false;
    });
  };
  useEffect(() => {
    if (!mayComment || !wished.current) return;
    wished.current = false;
    react(kind, undefined);
  });
  return (
    // Its height is fixed, so that nothing below it moves.
    <div className="flex min-h-14 flex-wrap items-end gap-2 sm:gap-x-4 print:hidden">
      {(may || ownKind.length > 0) &&
        (kind === "candle" ? (
          <Flame lit={ownKind.length > 0} className="h-14 w-8" />
        ) : (
          <KindIcon kind="heart" className="mb-1.5 size-8" />
        ))}
      {may && (
        <Button variant="quiet" aria-pressed={mine !== undefined} onClick={give}>
          {mine ? t(`${kind}.given`) : t(`${kind}.give`)}
        </Button>
      )}
      {ownKind.length > 0 && (
        <Button variant="plain" className="min-w-11 px-2! font-normal!" title={names} onClick={() => setNaming(true)}>
          <span className="max-sm:sr-only">{t(`${kind}.count`, { count: ownKind.length })}</span>
          <span aria-hidden className="sm:hidden">
            {numberText(ownKind.length, i18n.language)}
          </span>
        </Button>
      )}
      <p role="status" className="basis-full text-sm text-ink-soft empty:hidden">
        {waits && t("react.waits")}
      </p>
      <ReactionNames reactions={ownKind} open={naming} onOpenChange={setNaming} />
    </div>
  );
}
