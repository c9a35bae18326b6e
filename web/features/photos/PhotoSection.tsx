import { Check } from "lucide-react";
import { type ReactNode, Suspense, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { numberText } from "../../../shared/number-text.ts";
import { useHearts } from "../../actions/hearts.ts";
import { usePictured, useWhoQuestions } from "../../actions/pictured.ts";
import type { Photo } from "../../data/media.queries.ts";
import type { MemoryAtAGlance } from "../../data/memories.queries.ts";
import type { MemoryContext } from "../../data/memory-context.ts";
import { inOrder, type PhotoOrder } from "../../data/photo-order.ts";
import { isWaiting } from "../../data/reveal.ts";
import { lazyPart } from "../../lib/browser/lazy-part.ts";
import { serverNow } from "../../lib/request/server-clock.ts";
import { useDownload } from "../../media/downloads/downloads.queries.ts";
import { useMediaUrlCache } from "../../media/use-media-urls.ts";
import type { MemoryPhotos } from "../../media/use-memory-photos.ts";
import { usePhotoRoute } from "../../media/use-photo-route.ts";
import { Button } from "../../ui/Button.tsx";
import { classNames } from "../../ui/class-names.ts";
import { Empty } from "../../ui/Empty.tsx";
import { Problem } from "../../ui/Problem.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { useKeptInSight } from "../../ui/use-kept-in-sight.ts";
import { DateDialog } from "./dates/DateDialog.tsx";
import { useChangeDates } from "./dates/use-change-dates.ts";
import { FilteredBy, NothingShown } from "./filter/FilteredBy.tsx";
import { usePeopleFilter } from "./filter/use-people-filter.ts";
import { usePhotoFilter } from "./filter/use-photo-filter.ts";
import { type CurrentPhoto, Gallery } from "./gallery/Gallery.tsx";
import { GalleryTools } from "./gallery/GalleryTools.tsx";
import type { TileUse } from "./gallery/PhotoTile.tsx";
import { useOutline } from "./gallery/use-outline.ts";
import { useNaming } from "./people/use-naming.ts";
import type { PhotoActions } from "./photo-actions.ts";
import type { PhotoComments } from "./photo-comments.ts";
import { SelectionBar } from "./selection/SelectionBar.tsx";
import { useSelection } from "./selection/use-selection.ts";
import { useSharePhotos } from "./use-share-photos.ts";

const Lightbox = lazyPart(
  async () => ({ default: (await import("./lightbox/Lightbox.tsx")).Lightbox }),
  "over the page",
);
const NameDialog = lazyPart(
  async () => ({ default: (await import("./people/NameDialog.tsx")).NameDialog }),
  "over the page",
);
const AskDialog = lazyPart(() => import("./letters/AskDialog.tsx"), "over the page");
const RevealNote = lazyPart(() => import("./RevealNote.tsx"), "nothing");
const PersonHead = lazyPart(async () => ({ default: (await import("./people/PersonHead.tsx")).PersonHead }), "nothing");
const PeopleFilterDialog = lazyPart(
  async () => ({ default: (await import("./filter/PeopleFilterDialog.tsx")).PeopleFilterDialog }),
  "over the page",
);

export interface PhotoSectionProps {
  context: MemoryContext & { memory: MemoryAtAGlance };
  photos: MemoryPhotos;
  /** The signed-in person's actions on photos. */
  actions?: PhotoActions;
  /** Additional tools beside the title. */
  photoTools?: ReactNode;
  /** Whether uploads are active. */
  arriving?: boolean;
  /** The memory's comments: beside the photos on wide screens if there are any, otherwise below the photos. */
  conversation: ReactNode;
  /** Whether there are comments. */
  discussed: boolean;
  comments: PhotoComments;
  /** Content between the title and the photos, e.g. uploads. */
  children?: ReactNode;
  onFailed?: () => void;
}

const NONE: readonly Photo[] = [];
/** Up to this number, the photos are usually less high than the window. */
const FEW = 6;

/** Renders the photos and comments of a memory's page, for members and visitors. */
export function PhotoSection(props: PhotoSectionProps) {
  const { context, photos, actions, photoTools, arriving, conversation, discussed, comments, children, onFailed } =
    props;
  const { client, memory, rights } = context;
  const download = useDownload(client);
  const share = useSharePhotos();
  const { t, i18n } = useTranslation("media");
  const urls = useMediaUrlCache();
  const { openId, show } = usePhotoRoute();
  const [mode, setMode] = useState<TileUse>("open");
  const [visitOrder, setVisitOrder] = useState<PhotoOrder>();
  const [current, setCurrent] = useState<CurrentPhoto>();

  const order = actions?.arrange ? memory.media_order : (visitOrder ?? memory.media_order);
  // Arranging starts from the current order, unless the photos have been arranged before.
  const arranged = mode === "arrange" && photos.photos.some(({ position }) => position !== null);
  const ordered = useMemo(
    () => inOrder(photos.photos, arranged ? "arranged" : order),
    [photos.photos, arranged, order],
  );
  const hearts = useHearts(context);
  const pictured = usePictured(context);
  const questions = useWhoQuestions(context);
  const { people, ofPeople, setPeople, showPerson } = usePeopleFilter(ordered, pictured);
  const { visiblePhotos, ...filtering } = usePhotoFilter(ofPeople, hearts, questions);
  const filters = { filter: filtering.filter, people };
  const naming = useNaming(client, memory.id);
  const mayName = namingRight(rights.role, actions);
  const selection = useSelection(visiblePhotos);
  const chosenUse = mode === "open" && selection.ids.size > 0 ? "select" : mode;
  // Choosing and arranging need the rows of all photos.
  const use = photos.isPart ? "open" : chosenUse;
  const selectable = ordered.length > 0 && (rights.download || actions !== undefined);
  const [dating, setDating] = useState(NONE);
  const [toName, setToName] = useState(NONE);
  const [toAsk, setToAsk] = useState(NONE);
  const [choosesPeople, setChoosesPeople] = useState(false);
  const namedPeople = pictured.people.filter(({ mediaIds }) => mediaIds.size > 0);
  const changeDates = useChangeDates(client, memory.id);
  const openPhoto = useOutline(photos, {
    order,
    needsRows: chosenUse !== "open" || filtering.filter !== "all" || people.length > 0,
    openId,
    onOpen: show,
  });
  const end = () => {
    setMode("open");
    selection.clear();
  };
  const failed = () => {
    urls.renew();
    onFailed?.();
  };
  // A long conversation beside few photos would leave most of the width empty.
  const sideBySide = discussed && (photos.query.isPending || ordered.length > FEW);
  const isCovered = isWaiting(memory.reveal, serverNow());
  const photosInSight = useKeptInSight<HTMLElement>();
  const conversationInSight = useKeptInSight<HTMLElement>();

  return (
    <div
      className={classNames("page-width grid gap-x-10 gap-y-14", sideBySide && "xl:grid-cols-[minmax(0,1fr)_24rem]")}
    >
      <section
        ref={photosInSight}
        id="photos"
        aria-labelledby="photos-title"
        className={classNames("grid min-w-0 content-start gap-6", sideBySide && "xl:sticky xl:self-start")}
      >
        <div className="flex flex-wrap items-center justify-between gap-3">
          <h2 id="photos-title" className="font-serif text-2xl sm:text-3xl">
            {t("photos")}
            {ordered.length > 0 && (
              <span className="ms-3 font-sans text-base text-ink-soft tabular-nums">
                {numberText(ordered.length, i18n.language)}
              </span>
            )}
          </h2>
          <div className="flex flex-wrap items-center gap-1 max-sm:grow max-sm:justify-end sm:gap-2 print:hidden">
            {use === "open" && ordered.length > 1 && (
              <GalleryTools
                {...filtering}
                order={order}
                onOrder={actions?.setOrder ?? setVisitOrder}
                onGoTo={({ id }) => setCurrent({ id, focus: true })}
                onPeople={namedPeople.length > 0 ? () => setChoosesPeople(true) : undefined}
                onArrange={
                  visiblePhotos.length === ordered.length && filtering.filter === "all" && actions?.arrange
                    ? () => setMode("arrange")
                    : undefined
                }
                onSelect={selectable ? () => setMode("select") : undefined}
              />
            )}
            {use === "open" && photoTools}
          </div>
        </div>
        <Suspense fallback={isCovered && <Skeleton className="h-40 rounded-3xl" />}>
          <RevealNote {...context} />
        </Suspense>
        {children}
        {people[0] && people.length === 1 && (
          <Suspense>
            <PersonHead
              key={people[0].id}
              context={context}
              pictured={pictured}
              person={people[0]}
              editable={isEditor(rights.role)}
              onGone={(other) => setPeople(other ? [other] : [])}
            />
          </Suspense>
        )}
        <FilteredBy
          {...filters}
          onEnd={() => {
            filtering.onFilter("all");
            if (people.length > 0) setPeople([]);
          }}
          visibleCount={visiblePhotos.length}
          all={ordered.length}
        />
        {photos.query.isPending ? (
          <GallerySkeleton />
        ) : photos.query.isLoadingError ? (
          <Problem error={new Error(t("failed"))} retry={photos.query.refetch} />
        ) : ordered.length === 0 ? (
          !arriving &&
          !(isCovered && !rights.manage) && (
            <Empty
              picture="photos"
              title={t("none")}
              text={rights.contribute && actions ? t("noneOwner") : t("noneVisitor")}
            />
          )
        ) : visiblePhotos.length === 0 ? (
          <NothingShown {...filters} />
        ) : (
          <Gallery
            photos={visiblePhotos}
            order={mode === "arrange" ? "arranged" : order}
            use={use}
            selection={selectable ? selection : undefined}
            current={current}
            onCurrent={setCurrent}
            hearts={hearts}
            onPlace={(ids, gap) => actions?.arrange?.(visiblePhotos, ids, gap)}
            onNear={photos.load}
            onFailed={failed}
          />
        )}
        {use === "arrange" && <ArrangeBar onEnd={end} />}
        {use === "select" && (
          <SelectionBar
            photos={visiblePhotos}
            selection={selection}
            actions={actions}
            onDownload={
              rights.download
                ? (chosen) => download({ mediaIds: chosen.map(({ id }) => id) }, memory.person_name)
                : undefined
            }
            onShare={rights.download ? share : undefined}
            onDate={setDating}
            mayName={mayName}
            onName={setToName}
            onAsk={actions && isEditor(rights.role) && !memory.draft ? setToAsk : undefined}
            onEnd={end}
          />
        )}
        <DateDialog
          photos={dating}
          change={changeDates}
          onClose={() => setDating(NONE)}
          onSaved={() => {
            setDating(NONE);
            end();
          }}
        />
        {toName.length > 0 && (
          <Suspense>
            <NameDialog
              photos={toName}
              pictured={pictured}
              naming={naming}
              onClose={() => setToName(NONE)}
              onNamed={() => {
                setToName(NONE);
                end();
              }}
            />
          </Suspense>
        )}
        {toAsk.length > 0 && (
          <Suspense>
            <AskDialog
              client={client}
              memory={memory}
              photos={toAsk}
              onClose={() => {
                setToAsk(NONE);
                end();
              }}
            />
          </Suspense>
        )}
        {choosesPeople && (
          <Suspense>
            <PeopleFilterDialog
              people={namedPeople}
              chosen={people}
              onChange={setPeople}
              onClose={() => setChoosesPeople(false)}
            />
          </Suspense>
        )}
        {openPhoto && (
          <Suspense>
            <Lightbox
              context={context}
              comments={comments}
              // A photo that a link opens, or that has just lost its heart, is not among those shown.
              photos={visiblePhotos.some(({ id }) => id === openPhoto.id) ? visiblePhotos : ordered}
              onLoad={photos.load}
              hearts={hearts}
              names={{ pictured, questions, naming, mayName, onPerson: showPerson }}
              actions={actions}
              onFailed={failed}
              onClosed={(photo: Photo) => setCurrent({ id: photo.id, focus: true })}
            />
          </Suspense>
        )}
      </section>
      <aside
        ref={conversationInSight}
        id="conversation"
        hidden={photos.query.isPending}
        className={classNames(
          "grid content-start gap-6 has-[[data-side-panel]]:z-35",
          sideBySide ? "xl:sticky xl:self-start" : "max-w-4xl",
        )}
      >
        <Suspense>{conversation}</Suspense>
      </aside>
    </div>
  );
}

const isEditor = (role: string | null) => role === "owner" || role === "co-owner" || role === "contributor";

/** Members who may edit name people on every photo; others who may add, on their own. */
function namingRight(role: string | null, actions: PhotoActions | undefined) {
  if (isEditor(role)) return () => true;
  return actions?.mayChange;
}

function GallerySkeleton() {
  return (
    <div className="flex flex-wrap gap-2">
      {[1.5, 0.75, 1.3, 1, 1.6, 1.2].map((ratio) => (
        <Skeleton key={ratio} className="h-38 grow rounded-md sm:h-64" />
      ))}
    </div>
  );
}

/** Renders the instructions for arranging, with a button to end it, at the window's lower edge. */
function ArrangeBar({ onEnd }: { onEnd: () => void }) {
  const { t } = useTranslation("gallery");
  return (
    <div
      role="toolbar"
      aria-label={t("arrange.start")}
      data-foot
      className="sticky bottom-[max(1rem,env(safe-area-inset-bottom))] z-20 mx-auto flex max-w-full items-center gap-3 rounded-3xl border border-line bg-raised p-1.5 ps-4 shadow-lifted motion-safe:animate-rise"
    >
      <p className="text-sm leading-snug">{t("arrange.hint")}</p>
      <Button icon={Check} onClick={onEnd} className="shrink-0">
        {t("arrange.end")}
      </Button>
    </div>
  );
}
