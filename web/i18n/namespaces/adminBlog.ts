import en from "../en/adminBlog.json";
import it from "../it/adminBlog.json";
import { addNamespace } from "../resources.ts";

addNamespace("adminBlog", { en, it });
