import { join } from "node:path";
import { startEmbeddedPostgres } from "../server/database/embedded/embedded.ts";
import { startProxy } from "../tests/support/proxy.ts";
import { type Child, startProduct } from "./processes.ts";

export interface Cluster {
  /** The proxy's URL. */
  url: string;
  processes: Child[];
  databaseUrl: string;
  end(): Promise<void>;
}

/** Connections of one process (its pool and listeners), and those of the benchmark. */
const CONNECTIONS = 40;

/** Starts processes of the product over one PostgreSQL and one folder or bucket, behind `deploy/nginx.conf`. */
export async function startCluster(
  folder: string,
  count: number,
  settings: Record<string, string> = {},
): Promise<Cluster> {
  const postgres = await startEmbeddedPostgres(join(folder, "database"), { max_connections: `${count * CONNECTIONS}` });
  const processes: (Child & { url: string })[] = [];
  const end = async () => {
    await Promise.all(processes.map((child) => child.end()));
    await postgres.close();
  };
  try {
    for (let n = 0; n < count; n += 1) {
      const common = {
        DATABASE_URL: postgres.url,
        SIGN_IN_LIMIT: "1000000",
        AUTH_BOT_CHECK: "false",
        TRUST_PROXY: "127.0.0.1",
      };
      processes.push(await startProduct(folder, { ...common, PUBLIC_URL: "http://skies.example", ...settings }));
    }
    const proxy = await startProxy(processes.map(({ url }) => Number(new URL(url).port)));
    return {
      url: proxy.url,
      processes,
      databaseUrl: postgres.url,
      async end() {
        await proxy.close();
        await end();
      },
    };
  } catch (error) {
    await end();
    throw error;
  }
}
