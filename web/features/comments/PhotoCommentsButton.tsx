import { useInfiniteQuery } from "@tanstack/react-query";
import { MessageCircle } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { classNames } from "../../ui/class-names.ts";
import { IconButton } from "../../ui/IconButton.tsx";
import { useIsDeleted } from "./comment-deletions.queries.ts";
import { commentsQuery } from "./comments.queries.ts";
import { countOf, threadsOf, withoutDeleted } from "./threads.ts";

interface PhotoCommentsButtonProps {
  client: SupabaseClient;
  memory: { id: string };
  photo: { id: string };
  open: boolean;
  onToggle: () => void;
  className: string;
}

/** Opens the comments on the photo, and shows their number. */
export default function PhotoCommentsButton({
  client,
  memory,
  photo,
  open,
  onToggle,
  className,
}: PhotoCommentsButtonProps) {
  const { t } = useTranslation("comments");
  const { data } = useInfiniteQuery(commentsQuery(client, { memoryId: memory.id, mediaId: photo.id }));
  const isDeleted = useIsDeleted();
  const count = countOf(withoutDeleted(threadsOf(data?.pages ?? []), isDeleted));
  return (
    <IconButton
      label={count > 0 ? t("photo.openWith", { count }) : t("photo.open")}
      aria-expanded={open}
      onClick={onToggle}
      className={classNames("relative", className, open && "text-teal!")}
    >
      <MessageCircle aria-hidden className="size-5" />
      {count > 0 && (
        <span
          aria-hidden
          className="absolute end-0.5 top-0.5 grid min-w-5 place-content-center rounded-full bg-teal px-1 text-sm leading-5 font-semibold text-night tabular-nums"
        >
          {count}
        </span>
      )}
    </IconButton>
  );
}
