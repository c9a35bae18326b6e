import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { secretsQuery } from "../../../data/link-secret.queries.ts";
import { requestAsUser, supabase } from "../../../lib/request/supabase.ts";
import { paths } from "../../../paths.ts";
import type { PrintedLink } from "../printing.queries.ts";
import type { PrintState } from "../SavePdf.tsx";
import { useMeasure } from "../use-measure.ts";
import type { Service, ServiceFormat } from "./lay-out-service.ts";

interface PrintedService {
  service: Omit<Service, "code">;
  format: ServiceFormat;
  large: boolean;
  /** The link whose code is on the last page. */
  link: PrintedLink | undefined;
}

/** The pages of an order of service. The preview has them in the order in which they are read. */
export function useServicePages({ service, format, large, link }: PrintedService): PrintState {
  const { t } = useTranslation("printing");
  const asking = link && link.asks !== null ? [link] : [];
  const secrets = useQuery(secretsQuery(supabase, asking, requestAsUser));
  const isWaiting = asking.length > 0 && secrets.isPending;
  const code = link && {
    url: new URL(paths.shared(link.share_id), location.origin).href,
    hint: t("defaults.hint"),
    secret: link.asks && secrets.data?.[0] ? t(`codes.${link.asks}`, { secret: secrets.data[0] }) : "",
  };
  const content = JSON.stringify({ ...service, ...(code && { code }) });
  const { tools, measure, isError } = useMeasure(content);
  return useMemo((): PrintState => {
    if (isError) return { state: "failed" };
    const printed = JSON.parse(content) as Service;
    if (!printed.entries.some(({ title, by, text }) => title || by || text)) return { state: "nothing" };
    if (!tools || !measure || isWaiting) return { state: "waiting" };
    const { reading, printing } = tools.servicePagesOf(printed, format, large, measure);
    return { state: "ready", pages: reading, pdf: (title) => tools.pdfOf(printing, title) };
  }, [content, tools, measure, isWaiting, isError, format, large]);
}
