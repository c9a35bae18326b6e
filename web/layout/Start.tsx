import { useSession } from "../lib/session.ts";
import { Loading } from "../ui/Loading.tsx";

export function Start() {
  const session = useSession();
  if (session.state === "loading") return <Loading full />;
  return <h1>Skies</h1>;
}
