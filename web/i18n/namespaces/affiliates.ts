import en from "../en/affiliates.json";
import it from "../it/affiliates.json";
import { addNamespace } from "../resources.ts";

addNamespace("affiliates", { en, it });
