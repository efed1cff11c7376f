// How the page's JavaScript is checked, beside its types (tsconfig.json) and its layout (Prettier).

import js from "@eslint/js";
import globals from "globals";

export default [
  { ignores: ["build/", "dist/", "node_modules/", ".venv/", "src/**/bundled/"] },
  js.configs.recommended,
  {
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      curly: ["error", "multi-line"],
      eqeqeq: "error",
      "max-lines": ["error", { max: 500, skipBlankLines: true, skipComments: true }],
      "max-lines-per-function": ["error", { max: 60, skipBlankLines: true, skipComments: true }],
      "no-console": ["error", { allow: ["warn"] }],
      "no-param-reassign": "error",
      "no-shadow": "error",
      "no-undef-init": "error",
      "no-underscore-dangle": "error", // what is private begins with #
      "no-unused-private-class-members": "error",
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
      "prefer-template": "error",
      "sort-imports": ["error", { ignoreDeclarationSort: true }],
    },
  },
  { files: ["src/fourcast/web/page/static/**"], languageOptions: { globals: globals.browser } },
  {
    files: ["src/fourcast/render/*.js", "src/fourcast/arena/*.js"],
    languageOptions: { globals: globals.browser, sourceType: "script" },
  },
  {
    files: ["src/fourcast/web/page/static/js/{theme,embed}.js"],
    languageOptions: { sourceType: "script" },
  },
  { files: ["tests/page/**"], languageOptions: { globals: { ...globals.node, window: "writable" } } },
];
