import { Suspense, useId } from "react";
import { lazyPart } from "../../lib/browser/lazy-part.ts";
import { Skeleton } from "../../ui/Skeleton.tsx";
import type { RichEditorProps } from "./RichEditor.tsx";

const RichEditor = lazyPart(async () => ({ default: (await import("./RichEditor.tsx")).RichEditor }));

interface RichTextFieldProps extends Omit<RichEditorProps, "labelledBy" | "describedBy" | "invalid"> {
  label: string;
  error?: string;
}

/** A labelled rich text field. The editor is loaded on demand; a placeholder of the same size avoids a layout shift. */
export function RichTextField({ label, error, ...editor }: RichTextFieldProps) {
  const id = useId();
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
      <span id={id} className="font-semibold">
        {label}
      </span>
      <Suspense fallback={<Skeleton className="h-60 border border-edge sm:h-60" />}>
        <RichEditor {...editor} labelledBy={id} describedBy={error ? `${id}-error` : undefined} invalid={!!error} />
      </Suspense>
      {error && (
        <p id={`${id}-error`} role="alert" className="text-sm font-semibold text-danger-text">
          {error}
        </p>
      )}
    </div>
  );
}
