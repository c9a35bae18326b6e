import en from "../en/adminOverview.json";
import it from "../it/adminOverview.json";
import { addNamespace } from "../resources.ts";

addNamespace("adminOverview", { en, it });
