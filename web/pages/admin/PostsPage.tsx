import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { PostList } from "../../features/admin/blog/PostList.tsx";
import { NEW_POST } from "../../features/admin/blog/posts.queries.ts";
import { paths } from "../../paths.ts";
import { Button } from "../../ui/Button.tsx";
import { Desk } from "./Desk.tsx";

/** /admin/blog: the posts of the blog. */
export default function PostsPage() {
  const { t } = useTranslation("adminBlog");
  return (
    <Desk
      title={t("title")}
      actions={
        <Button asChild>
          <Link to={paths.admin("blog", NEW_POST)}>{t("new")}</Link>
        </Button>
      }
    >
      <PostList />
    </Desk>
  );
}
