import { type ReactNode, useState } from "react";
import { classNames } from "../ui/class-names.ts";

interface PictureProps {
  /** What to show until the picture is there. */
  photo: { placeholder?: string | null; colour: string | null };
  src?: string;
  srcSet?: string;
  /** As in HTML: how wide it is shown. */
  sizes: string;
  alt: string;
  /** Loaded at once rather than when it comes near the window. */
  eager?: boolean;
  fit?: "cover" | "contain";
  /** What of it stays in sight where it is cut off, as CSS says it. */
  focus?: string;
  className?: string;
  /** The browser could not load it: it is gone, or this address may not be opened any more. */
  onFailed?: () => void;
  children?: ReactNode;
}

/** A photo that fills its box, over its own blurred placeholder until it has loaded. */
export function Picture(props: PictureProps) {
  const { photo, src, srcSet, sizes, alt, eager, fit = "cover", focus, className, onFailed, children } = props;
  // One for the first screen shows what of it is there; the others appear over their placeholders when they are whole.
  const [shown, setShown] = useState(eager === true);
  return (
    <span
      className={classNames("relative block overflow-hidden bg-line bg-cover bg-center", className)}
      style={{
        backgroundColor: fit === "cover" ? (photo.colour ?? undefined) : "transparent",
        backgroundPosition: focus,
        backgroundImage: fit === "cover" && photo.placeholder ? `url("${photo.placeholder}")` : undefined,
      }}
    >
      {src && (
        <img
          src={src}
          srcSet={srcSet}
          sizes={sizes}
          alt={alt}
          loading={eager ? "eager" : "lazy"}
          fetchPriority={eager ? "high" : "auto"}
          decoding="async"
          draggable={false}
          // A picture from the cache may be complete before React listens.
          ref={(image) => void (image?.complete && image.naturalWidth > 0 && setShown(true))}
          onLoad={() => setShown(true)}
          onError={onFailed}
          style={{ objectPosition: focus }}
          className={classNames(
            "absolute inset-0 size-full transition-opacity duration-300 ease-out",
            fit === "cover" ? "object-cover" : "object-contain",
            shown ? "opacity-100" : "opacity-0",
          )}
        />
      )}
      {children}
    </span>
  );
}
