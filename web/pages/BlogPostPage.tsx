import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { ArrowLeft } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link, useParams } from "react-router";
import { postQuery, postsQuery } from "../features/blog/blog.queries.ts";
import { PostArticle } from "../features/blog/PostArticle.tsx";
import { PostCard } from "../features/blog/PostCard.tsx";
import { usePageTitle } from "../lib/browser/page-title.ts";
import { paths } from "../paths.ts";
import { Button } from "../ui/Button.tsx";
import { Empty } from "../ui/Empty.tsx";
import { Problem } from "../ui/Problem.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";

const RELATED = 3;

/** Loads the sanitizer only for posts fetched in the browser. The server sanitizes the posts it renders. */
const clean = async (html: string) => (await import("dompurify")).default.sanitize(html);

/** `/blog/{id}`: one post, by its slug or its id, and others to read next. */
export default function BlogPostPage() {
  const { t, i18n } = useTranslation("blog");
  const { id = "" } = useParams();
  const language = i18n.resolvedLanguage === "it" ? "it" : "en";
  const post = useQuery(postQuery(id, language, clean));
  const others = useInfiniteQuery(postsQuery(language)).data ?? [];
  usePageTitle(post.data?.title ?? "");

  if (post.isPending) {
    return (
      <div role="status" aria-label={t("title")} className="page-column grid gap-6 py-12">
        <Skeleton className="h-24 rounded-3xl" />
        <Skeleton className="h-[40rem] rounded-3xl" />
      </div>
    );
  }
  if (post.isLoadingError) return <Problem error={new Error(t("failed"))} retry={post.refetch} />;
  if (!post.data) {
    return (
      <Empty picture="signpost" page title={t("missing")} text={t("missingText")}>
        <Button asChild>
          <Link to={paths.blog()}>{t("back")}</Link>
        </Button>
      </Empty>
    );
  }
  const { slug } = post.data;
  const related = others.filter((other) => other.slug !== slug).slice(0, RELATED);
  return (
    <div className="page-column grid gap-14 pt-8 pb-20 sm:pt-12">
      <article className="grid gap-6">
        <Link
          to={paths.blog()}
          className="inline-flex min-h-11 items-center gap-2 justify-self-start font-semibold text-deep no-underline hover:underline"
        >
          <ArrowLeft aria-hidden className="size-5" />
          {t("back")}
        </Link>
        <PostArticle post={post.data} />
      </article>
      {related.length > 0 && (
        <section aria-labelledby="related" className="grid gap-6 border-t border-line pt-10">
          <h2 id="related" className="font-serif text-3xl">
            {t("related")}
          </h2>
          <ul className="grid gap-6 sm:grid-cols-2 lg:grid-cols-3">
            {related.map((other) => (
              <li key={other.id}>
                <PostCard post={other} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
