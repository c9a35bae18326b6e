import { type ReactNode, useState } from "react";
import { classNames } from "../ui/class-names.ts";

interface PictureProps {
  /** The placeholder and colour that are shown while it loads. */
  photo: { placeholder?: string | null; colour: string | null };
  src?: string;
  srcSet?: string;
  /** The `sizes` attribute. */
  sizes: string;
  alt: string;
  /** Loads immediately instead of near the viewport. */
  eager?: boolean;
  fit?: "cover" | "contain";
  /** The CSS `object-position` for cropping. */
  focus?: string;
  className?: string;
  /** Called if it cannot be loaded: it was deleted, or its URL has expired. */
  onFailed?: () => void;
  children?: ReactNode;
}

/** A photo that covers its box, over a blurred placeholder until it has loaded. */
export function Picture(props: PictureProps) {
  const { photo, src, srcSet, sizes, alt, eager, fit = "cover", focus, className, onFailed, children } = props;
  // Eager pictures render progressively; the others fade in when complete.
  const [isShown, setShown] = useState(eager === true);
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
          onError={() => {
            // Instead of the browser's sign for a broken picture.
            setShown(false);
            onFailed?.();
          }}
          style={{ objectPosition: focus }}
          className={classNames(
            "absolute inset-0 size-full transition-opacity duration-300 ease-out",
            fit === "cover" ? "object-cover" : "object-contain",
            isShown ? "opacity-100" : "opacity-0",
          )}
        />
      )}
      {children}
    </span>
  );
}
