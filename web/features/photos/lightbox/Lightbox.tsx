import { Dialog } from "radix-ui";
import { type KeyboardEvent, type ReactNode, Suspense, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { writtenDate } from "../../../../shared/written-date.ts";
import type { Hearts } from "../../../actions/hearts.ts";
import type { Photo } from "../../../data/media.queries.ts";
import type { MemoryContext } from "../../../data/memory-context.ts";
import { keyOf, kindOf } from "../../../data/photo.ts";
import type { Point, WhoQuestion } from "../../../data/pictured.queries.ts";
import type { NameOnPhoto, Pictured, PicturedPerson } from "../../../data/pictured.ts";
import { hasOpenList } from "../../../lib/browser/close-on-back.ts";
import { lazyPart } from "../../../lib/browser/lazy-part.ts";
import { askToReport } from "../../../lib/browser/reporting.ts";
import { useDownload } from "../../../media/downloads/downloads.queries.ts";
import { shownUrls, useMediaUrlCache, useRequestedMedia } from "../../../media/use-media-urls.ts";
import { usePhotoRoute } from "../../../media/use-photo-route.ts";
import { classNames } from "../../../ui/class-names.ts";
import { isEditable } from "../editing/editable.ts";
import { PhotoNames } from "../people/PhotoNames.tsx";
import type { Naming } from "../people/use-naming.ts";
import type { PhotoActions } from "../photo-actions.ts";
import type { PhotoComments } from "../photo-comments.ts";
import { useSharePhotos } from "../use-share-photos.ts";
import { lightboxSrcSet, prefersReducedMotion } from "./animation.ts";
import { LightboxArrow } from "./LightboxArrow.tsx";
import { LightboxBar } from "./LightboxBar.tsx";
import { BAR_BUTTON } from "./LightboxMenu.tsx";
import { hasOwnKeys } from "./LightboxPhoto.tsx";
import { LightboxStage } from "./LightboxStage.tsx";
import { PhotoDetails } from "./PhotoDetails.tsx";
import { useSlideshow } from "./use-slideshow.ts";

const TITLES = {
  image: "lightbox.title",
  video: "lightbox.videoTitle",
  audio: "lightbox.audioTitle",
  paper: "lightbox.paperTitle",
} as const;

const NamesPanel = lazyPart(
  async () => ({ default: (await import("../people/NamesPanel.tsx")).NamesPanel }),
  "in place",
);

const NameSuggestions = lazyPart(
  async () => ({ default: (await import("../people/NameSuggestions.tsx")).NameSuggestions }),
  "nothing",
);
const WhoQuestionPart = lazyPart(
  async () => ({ default: (await import("../people/WhoQuestion.tsx")).WhoQuestionPart }),
  "nothing",
);

const NO_NAMES: readonly NameOnPhoto[] = [];

/** The people in the memory's photos, and what the reader may do with their names. */
export interface LightboxNames {
  pictured: Pictured;
  /** Questions about who is in a photo, by its id. */
  questions: ReadonlyMap<string, WhoQuestion>;
  naming: Naming;
  /** Undefined if the reader may name people on no photo. */
  mayName: ((photo: Photo) => boolean) | undefined;
  onPerson: (person: PicturedPerson) => void;
}

interface LightboxProps {
  context: MemoryContext;
  comments: PhotoComments;
  /** Photos in the page's order. */
  photos: Photo[];
  hearts: Hearts;
  names: LightboxNames;
  actions: PhotoActions | undefined;
  /** Called with photos whose rows are needed next. */
  onLoad: (photos: readonly Photo[]) => void;
  onFailed: () => void;
  /** Called with the last open photo when the lightbox has closed, so that the page can move the focus to it. */
  onClosed: (photo: Photo) => void;
}

/** Renders the photo that the URL names, over the whole window. */
export function Lightbox(props: LightboxProps) {
  const { context, comments, photos, hearts, names, actions, onLoad, onFailed, onClosed } = props;
  const { t } = useTranslation("media");
  const { openId, turned, describing, commenting, show: showById, close } = usePhotoRoute();
  const index = photos.findIndex((photo) => photo.id === openId);
  const photo = photos[index];
  const [previous, next] = [photos[index - 1], photos[index + 1]];
  const show = useLoadedNeighbours(photos, index, onLoad, showById);
  const [beside, setBeside] = useState<"details" | "comments" | "names" | undefined>(
    describing ? "details" : commenting ? "comments" : undefined,
  );
  // A video that was pressed plays. One that a URL opened waits, and so does the next one.
  const [pressed] = useState(() => (navigator.userActivation?.isActive ? openId : undefined));
  const removed = useRef(false);
  const [pressedPoint, setPressedPoint] = useState<{ photoId: string; point: Point }>();
  const download = useDownload(context.client);
  const share = useSharePhotos();
  const slideshow = useSlideshow({
    photo,
    onNext: () => {
      const following = next ?? photos[0];
      if (following) show(following);
    },
  });
  usePreloaded(photo, previous, next);

  if (!photo) return null;
  const { rights } = context;
  const may = { change: actions?.mayChange(photo) ?? false, download: rights.download };
  const onPhoto = names.pictured.onPhotos.get(photo.id) ?? NO_NAMES;
  const naming = names.mayName?.(photo) ? names.naming : undefined;
  const question = names.questions.get(photo.id);
  const point = beside === "names" && pressedPoint?.photoId === photo.id ? pressedPoint.point : undefined;
  const setPoint = (to: Point | undefined) => setPressedPoint(to && { photoId: photo.id, point: to });
  const toggle = (what: "details" | "comments" | "names") => {
    slideshow.pause();
    setBeside(beside === what ? undefined : what);
  };
  const move = (to: Photo | undefined) => {
    slideshow.pause();
    if (to) show(to);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (hasOwnKeys(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
    const to = { ArrowLeft: previous, ArrowRight: next, Home: photos[0], End: photos.at(-1) }[event.key];
    if (!to) return;
    event.preventDefault();
    move(to);
  };
  const remove = () => {
    // The lightbox closes first, because an open dialog would make the toast with the undo unreachable.
    close();
    removed.current = true;
    actions?.remove([photo]);
  };
  const hide = () => {
    close();
    removed.current = true;
    actions?.hide?.([photo]);
  };
  const urls = next ?? previous;
  const title = t(TITLES[kindOf(photo)], {
    number: index + 1,
    count: photos.length,
  });

  return (
    <Dialog.Root open onOpenChange={(open) => !open && close()}>
      <Dialog.Portal>
        <Dialog.Content
          aria-describedby={undefined}
          onKeyDown={onKeyDown}
          onEscapeKeyDown={(event) => hasOpenList() && event.preventDefault()}
          onOpenAutoFocus={(event) => {
            // The dialog receives the focus, so that no button is highlighted before the keyboard is used.
            event.preventDefault();
            (event.target as HTMLElement).focus();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            onClosed((removed.current && urls) || photo);
          }}
          className={classNames(
            "fixed inset-0 z-50 grid grid-rows-[auto_minmax(0,1fr)_auto] bg-[#070b12] text-white outline-none motion-safe:animate-fade-in",
            beside && "lg:grid-cols-[minmax(0,1fr)_24rem]",
          )}
        >
          <LightboxBar
            title={title}
            photo={photo}
            may={may}
            onDownloadBoth={
              photo.motion || photo.has_back || (photo.has_raw && may.change)
                ? () => download({ mediaIds: [photo.id] }, photo.file_name || title)
                : undefined
            }
            onShare={share && (() => share([photo]))}
            slideshow={photos.length > 1 ? slideshow : undefined}
            heart={hearts.toggle && { mine: hearts.mine.has(photo.id), onToggle: () => hearts.toggle?.(photo.id) }}
            details={beside === "details"}
            onDetails={() => toggle("details")}
            comments={
              <Suspense fallback={<span className="size-11" />}>
                <comments.Button
                  {...context}
                  photo={photo}
                  open={beside === "comments"}
                  onToggle={() => toggle("comments")}
                  className={BAR_BUTTON}
                />
              </Suspense>
            }
            onCover={
              actions?.chooseCover && photo.state === "ready" && photo.type !== "audio"
                ? () => actions.chooseCover?.(photo)
                : undefined
            }
            editing={may.change && actions && isEditable(photo) ? actions : undefined}
            onHide={actions?.hide && hide}
            asking={
              rights.manage || photo.type === "audio"
                ? undefined
                : { client: context.client, isVisitor: rights.role === null || rights.role === "visitor" }
            }
            onReport={may.change ? undefined : () => askToReport({ kind: "media", id: photo.id })}
            onRemove={remove}
          />
          <LightboxStage
            key={photo.id}
            photo={photo}
            plays={photo.id === pressed}
            may={may}
            previous={previous}
            next={next}
            onMove={move}
            onClose={close}
            onEnded={slideshow.ended}
            onTouched={slideshow.pause}
            onFailed={onFailed}
            turned={turned}
            onTurn={() => showById(photo.id, !turned)}
            marks={beside === "names" ? { names: onPhoto, question, point, onPoint: naming && setPoint } : undefined}
          />
          <LightboxFoot
            photo={photo}
            text={turned && photo.has_back ? photo.back_text : photo.caption}
            previous={previous}
            next={next}
            onMove={move}
            compact={beside !== undefined}
          >
            <PhotoNames
              names={onPhoto}
              hasQuestion={question !== undefined}
              editable={naming !== undefined}
              onPerson={names.onPerson}
              onOpen={() => toggle("names")}
            />
          </LightboxFoot>
          {beside === "details" && (
            <PhotoDetails
              key={`words-${photo.id}`}
              client={context.client}
              photo={photo}
              editable={may.change}
              onClose={() => setBeside(undefined)}
            />
          )}
          {beside === "names" && (
            <Suspense>
              <NamesPanel
                key={`names-${photo.id}`}
                photo={photo}
                pictured={names.pictured}
                naming={naming}
                point={point}
                onPoint={setPoint}
                onPerson={names.onPerson}
                onClose={() => setBeside(undefined)}
              >
                {naming && (
                  <NameSuggestions client={context.client} photo={photo} pictured={names.pictured} naming={naming} />
                )}
                <WhoQuestionPart
                  context={context}
                  photo={photo}
                  question={question}
                  point={point}
                  editable={naming !== undefined}
                  onAsked={() => setPoint(undefined)}
                  onComment={() => setBeside("comments")}
                />
              </NamesPanel>
            </Suspense>
          )}
          {beside === "comments" && (
            <Suspense>
              <comments.Panel
                key={`comments-${photo.id}`}
                {...context}
                photo={photo}
                onClose={() => setBeside(undefined)}
              />
            </Suspense>
          )}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** The number of photos before and after the open one whose rows are loaded. */
const AROUND = 20;

/** Loads the rows of photos near the open one. Returns a function that shows a photo, as soon as its row is loaded. */
function useLoadedNeighbours(
  photos: readonly Photo[],
  index: number,
  onLoad: LightboxProps["onLoad"],
  show: (id: string) => void,
) {
  const [awaitedKey, setAwaitedKey] = useState<string>();
  const awaited = photos.find(({ id, outlined }) => !outlined && keyOf(id) === awaitedKey);
  useEffect(() => {
    if (!awaited) return;
    setAwaitedKey(undefined);
    show(awaited.id);
  }, [awaited, show]);
  useEffect(() => {
    if (index >= 0) onLoad(photos.slice(Math.max(0, index - AROUND), index + AROUND));
  }, [photos, index, onLoad]);
  return (to: Photo) => {
    if (!to.outlined) return show(to.id);
    setAwaitedKey(keyOf(to.id));
    onLoad([to]);
  };
}

/** Preloads the neighbours of the open photo. */
function usePreloaded(photo: Photo | undefined, previous: Photo | undefined, next: Photo | undefined) {
  const urls = useMediaUrlCache();
  const around = useMemo(
    () => [photo, next, previous].flatMap((one) => (one && !one.outlined ? one : [])),
    [photo, next, previous],
  );
  useRequestedMedia(around);
  useEffect(() => {
    const load = () => {
      for (const beside of [next, previous]) {
        const { picture } = beside ? shownUrls(urls.get(beside.id), beside) : {};
        if (!beside || !picture || beside.state !== "ready") continue;
        const image = new Image();
        image.sizes = "100vw";
        image.srcset = lightboxSrcSet(picture, beside, !prefersReducedMotion());
      }
    };
    load();
    return urls.subscribe(load);
  }, [urls, next, previous]);
}

interface LightboxFootProps {
  photo: Photo;
  /** The caption, or the words on the back. */
  text: string;
  previous: Photo | undefined;
  next: Photo | undefined;
  onMove: (to: Photo | undefined) => void;
  /** Whether a panel is open. On narrow screens the photo then gets the caption's space. */
  compact: boolean;
  /** The names on the photo. */
  children: ReactNode;
}

/** Renders the open photo's words and date, and on phones the buttons to the previous and next photo. */
function LightboxFoot({ photo, text, previous, next, onMove, compact, children }: LightboxFootProps) {
  const { t, i18n } = useTranslation("media");
  const date = photo.taken_at && writtenDate(photo.taken_at, i18n.language);
  return (
    <div
      className={classNames(
        "col-start-1 row-start-3 flex min-h-14 items-center justify-between gap-2 px-2 pb-[max(0.5rem,env(safe-area-inset-bottom))]",
        compact && "max-lg:pb-0 sm:max-lg:hidden",
      )}
    >
      <LightboxArrow side="left" to={previous} onMove={onMove} className="sm:hidden" />
      <div
        className={classNames(
          "grid max-h-[30dvh] grow justify-items-center gap-0.5 overflow-y-auto py-1 text-center",
          compact && "max-lg:hidden",
        )}
      >
        {text && (
          <p dir="auto" className="max-w-[44rem] font-serif text-lg leading-snug whitespace-pre-line">
            {text}
          </p>
        )}
        {date && (
          <p className="text-sm text-white/75">
            {t(photo.type === "audio" ? "lightbox.recorded" : "lightbox.taken", { date })}
          </p>
        )}
        {children}
      </div>
      <LightboxArrow side="right" to={next} onMove={onMove} className="sm:hidden" />
    </div>
  );
}
