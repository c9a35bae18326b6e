import { MemberHome } from "../features/home/MemberHome.tsx";
import { VisitorHome } from "../features/home/VisitorHome.tsx";
import { useSession } from "../lib/session/session.ts";
import { Loading } from "../ui/Loading.tsx";

/** /home: a greeting for signed-in people, the visitor's view for all others. */
export default function HomePage() {
  const session = useSession();
  if (session.state === "loading") return <Loading />;
  return session.state === "signed in" ? <MemberHome user={session.user} /> : <VisitorHome />;
}
