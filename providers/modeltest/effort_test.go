package modeltest_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"marvin/messages"
	"marvin/providers"
	"marvin/providers/anthropic"
	"marvin/providers/modeltest"
	"marvin/providers/ollama"
	"marvin/providers/openaichat"
	"marvin/providers/responses"
)

// host has the efforts that a host documents for its models, in its own words; "any" if it accepts
// unknown ones.
type host struct {
	provider, model, takes, source string
}

var hosts = []host{
	{"openai", "gpt-6-astra", "low medium high xhigh max", modelsDev + "openai/models/gpt-6-astra.toml"},
	{"openai", "gpt-6.2-sol", "low medium high xhigh max", "third party: runware.ai/docs/models/openai-gpt-6-2-sol"},
	{"openai", "gpt-6.1-sol", "low medium high xhigh max", "third party: docs.oxen.ai/inference-api/reference/models/gpt-6-1-sol"},
	{"openai", "gpt-6-sol", "none low medium high xhigh max", "official: developers.openai.com/zh-Hans/api/docs/models/gpt-6-sol"},
	{"openai", "gpt-5.6-sol", "none low medium high xhigh max", "official (low to max): openai/codex, models-manager/models.json; third party (none): anomalyco/models.dev, providers/openai/models/gpt-5.6-sol.toml"},
	{"openai", "gpt-5.5", "none low medium high xhigh", openAI},
	{"openai", "gpt-5.4", "none low medium high xhigh", openAI},
	{"openai", "gpt-5.3-codex", "low medium high xhigh", "third party: RayBytes/ChatMock, README"},
	{"openai", "gpt-5.2", "none low medium high xhigh", openAI},
	{"openai", "gpt-5.2-codex", "low medium high xhigh", "official: openai/codex, codex-rs/core/models.json"},
	{"openai", "gpt-5.1", "none low medium high", openAI},
	{"openai", "gpt-5.1-codex", "low medium high", "official: openai/codex, docs/config.md"},
	{"openai", "gpt-5.1-codex-max", "low medium high xhigh", openAI},
	{"openai", "gpt-5-pro", "high", openAI},
	{"openai", "gpt-5-mini", "minimal low medium high", openAI},
	{"openai", "o4-mini", "low medium high", openAI},
	{"openai", "o3", "low medium high", openAI},
	{"openai", "o1", "low medium high", openAI},
	{"openai", "gpt-4o", "", openAI},
	{"anthropic", "claude-fable-5-1", "adaptive low medium high xhigh max", claude},
	{"anthropic", "claude-mythos-5-1", "adaptive low medium high xhigh max", claude},
	{"anthropic", "claude-mythos-preview", "adaptive low medium high max", claudeEffort},
	{"anthropic", "claude-opus-5-5", "adaptive low medium high xhigh max", claude55 + "opus-5-5/whats-new-opus-5-5" + claude55Steps},
	{"anthropic", "claude-sonnet-5-5", "between_tools adaptive low medium high xhigh max", claude55 + "sonnet-5-5/whats-new-sonnet-5-5" + claude55Steps},
	{"anthropic", "claude-haiku-5-5", "disabled adaptive low medium high xhigh max", "official: platform.claude.com/docs, build-with-claude/prompt-engineering/prompting-claude-haiku-5-5"},
	{"anthropic", "claude-opus-5", "disabled adaptive low medium high xhigh max", claude},
	{"anthropic", "claude-sonnet-5", "disabled adaptive low medium high xhigh max", claude},
	{"anthropic", "claude-opus-4-8", "adaptive low medium high xhigh max", claudeEffort},
	{"anthropic", "claude-opus-4-7", "adaptive low medium high xhigh max", claudeEffort},
	{"anthropic", "claude-opus-4-6", "adaptive low medium high max", claudeEffort},
	{"anthropic", "claude-sonnet-4-6", "adaptive low medium high max", claudeEffort},
	{"anthropic", "claude-opus-4-5", "enabled tokens", claudeBudget},
	{"anthropic", "claude-opus-4-1", "enabled tokens", claudeBudget},
	{"anthropic", "claude-sonnet-4-5", "enabled tokens", claudeBudget},
	{"anthropic", "claude-haiku-4-5", "enabled tokens", claudeBudget},
	{"anthropic", "claude-3-5-haiku-latest", "", claude},
	{"anthropic", "claude-3-haiku-20240307", "", claude},
	{"gemini", "gemini-3-pro-preview", "minimal low medium high", gemini},
	{"gemini", "gemini-3.1-pro-preview", "minimal low medium high", gemini},
	{"gemini", "gemini-3-flash-preview", "minimal low medium high", gemini},
	{"gemini", "gemini-3.1-flash-lite", "minimal low medium high", gemini},
	{"gemini", "gemini-3.7-flash", "minimal low medium high", gemini},
	{"gemini", "gemini-2.5-pro", "minimal low medium high", gemini},
	{"gemini", "gemini-2.5-flash", "none minimal low medium high", gemini},
	{"gemini", "gemini-2.0-flash", "", gemini},
	{"groq", "openai/gpt-oss-120b", "low medium high", groq},
	{"groq", "qwen/qwen3.8-27b", "none low medium high", groq},
	{"groq", "qwen/qwen3-32b", "none default", groq},
	{"groq", "llama-3.3-70b-versatile", "", groq},
	{"groq", "meta-llama/llama-4-scout-17b-16e-instruct", "", groq},
	{"cerebras", "gpt-oss-120b", "low medium high", "official (that the model thinks): inference-docs.cerebras.ai/capabilities/reasoning; third party (the values): harn-vm 0.8, 80-cerebras.toml"},
	{"cerebras", "qwen-3.8-27b", "none low medium high", modelsDev + "cerebras/models/qwen-3.8-27b.toml"},
	{"fireworks", "accounts/fireworks/models/deepseek-v4-pro", "none low medium high xhigh max", fireworks},
	{"fireworks", "accounts/fireworks/models/glm-5p2", "none high max", fireworks},
	{"fireworks", "accounts/fireworks/models/kimi-k2p6", "low medium high", fireworks},
	{"fireworks", "accounts/fireworks/models/llama-v3p3-70b-instruct", "", fireworks},
	{"together", "openai/gpt-oss-20b", "low medium high", together},
	{"together", "zai-org/GLM-5.1", "on off", together},
	{"deepseek", "deepseek-flash", "disabled enabled low high max", deepSeekPage},
	{"deepseek", "deepseek-reasoner", "", deepSeekPage},
	{"xai", "grok-4.7", "low medium high xhigh", "official: docs.x.ai/developers/grok-4-7"},
	{"xai", "grok-4.6", "low medium high", modelsDev + "xai/models/grok-4.6.toml, a copy of docs.x.ai/developers/models/grok-4.6"},
	{"xai", "grok-4.5", "low medium high", "third party: anomalyco/opencode#39448, a copy of docs.x.ai/developers/model-capabilities/text/reasoning"},
	{"xai", "grok-4.3", "none low medium high", "official: docs.x.ai/developers/model-capabilities/text/reasoning, as of June 2026"},
	{"xai", "grok-3-mini", "low high", "official: docs.x.ai/docs/guides/reasoning"},
	{"xai", "grok-4", "", "official: docs.x.ai/docs/guides/reasoning"},
	{"mistral", "mistral-small-latest", "none high", mistral},
	{"mistral", "mistral-medium-3-5", "none high", mistral},
	{"mistral", "mistral-large-latest", "", mistral},
	{"mistral", "magistral-medium-latest", "", mistral},
	{"mistral", "codestral-latest", "", mistral},
	{"openrouter", "qwen/qwen3-32b", "none", openRouter},
	{"openrouter", "moonshotai/kimi-k2.5", openRouterTakes, openRouter},
	{"openai-compat", "qwen/qwen3-32b", openRouterTakes, openRouter},
	{"ollama", "gpt-oss:20b", "low medium high", ollamaPage},
	{"ollama", "qwen3:4b", "true false", ollamaPage},
	{"lmstudio", "openai/gpt-oss-20b", "low medium high", "official (for Responses): lmstudio.ai/blog/lmstudio-v0.3.29"},
	{"lmstudio", "qwen3", "none low medium high xhigh", "third party: ruby_llm-providers-lms, README"},
	{"llamacpp", "qwen3", "any", "official: ggml-org/llama.cpp, tools/server/README.md (`none` turns thinking off; other values go to the model's template)"},
	{"vllm", "qwen3", "none minimal low medium high xhigh max", "official: vllm-project/vllm, entrypoints/openai/chat_completion/protocol.py"},
}

// The sources, as of 2026-11: "official" is a page or library of the host itself, "third party" is
// a copy of its values at the named place.
const (
	openAI       = "official: developers.openai.com/api/reference, `reasoning.effort`"
	modelsDev    = "third party: anomalyco/models.dev, providers/"
	claude       = "official: anthropics/skills, claude-api/shared/models.md"
	claudeEffort = "official: platform.claude.com/docs/en/build-with-claude/effort"
	claudeBudget = "official: platform.claude.com/docs, build-with-claude/extended-thinking"
	claude55     = "official: platform.claude.com/docs/en/models/"
	// claude55Steps is the source of the effort levels for the three models.
	claude55Steps = "; third party (the levels): openrouter.ai/docs, model-migrations/claude-5-5"
	gemini        = "official: ai.google.dev/gemini-api/docs/openai"
	groq          = "official: groq/groq-python, completion_create_params.py"
	fireworks     = "official (name of the field): docs.fireworks.ai/guides/reasoning; third party (values): reference.langchain.com, deepagents-code/reasoning_effort"
	together      = "official: docs.together.ai/docs/inference/chat/reasoning"
	deepSeekPage  = "official: api-docs.deepseek.com/guides/thinking_mode"
	mistral       = "official: docs.mistral.ai/capabilities/reasoning/adjustable"
	openRouter    = "official: openrouter.ai/docs/guides/best-practices/reasoning-tokens"
	ollamaPage    = "official: ollama/ollama, docs/capabilities/thinking.mdx"

	openRouterTakes = "none minimal low medium high xhigh max"
)

// told asks the model as the program does, and returns the parts of the request about thinking.
func (h host) told(t *testing.T, effort providers.Effort) string {
	t.Helper()
	server := modeltest.Start(t, modeltest.Text("ok")).Install(modeltest.Local{Name: h.model, Can: []string{"completion", "tools", "thinking"}})
	pool, err := providers.NewPool()
	if err != nil {
		t.Fatal(err)
	}
	row, err := pool.Lookup(h.provider)
	if err != nil {
		t.Fatal(err)
	}
	about, client := pool.About(h.provider, h.model), &http.Client{Transport: &http.Transport{}}
	var model providers.Model
	switch row.Wire {
	case providers.Messages:
		model = anthropic.New(anthropic.Config{Provider: h.provider, BaseURL: server.URL, Key: "k", Model: h.model, HTTP: client, About: about})
	case providers.Responses:
		model = responses.New(responses.Config{Provider: h.provider, BaseURL: server.URL, Key: "k", Model: h.model, HTTP: client, About: about})
	case providers.OllamaWire:
		model = ollama.New(ollama.Config{URL: server.URL, Model: h.model, HTTP: client, About: about})
	default:
		model = openaichat.New(openaichat.Config{Provider: h.provider, BaseURL: server.URL, Key: "k", Model: h.model, HTTP: client, About: about})
	}
	defer model.Close()
	if _, err := model.Respond(t.Context(), providers.Question{Messages: []messages.Message{{Role: messages.User, Text: "hi"}}, Effort: effort}, func(providers.Part) {}); err != nil {
		t.Fatalf("%s %s: %v", h.provider, h.model, err)
	}
	var body struct {
		Thinking struct {
			Type   any `json:"type"`
			Tokens int `json:"budget_tokens"`
		} `json:"thinking"`
		Output    struct{ Effort string } `json:"output_config"`
		Reasoning struct {
			Effort  string
			Enabled *bool
		} `json:"reasoning"`
		ReasoningEffort string `json:"reasoning_effort"`
		Think           any    `json:"think"`
	}
	raw := server.Requests()[0].Raw
	if json.Unmarshal(raw, &body) != nil {
		t.Fatalf("%s", raw)
	}
	var words []string
	if enabled := body.Reasoning.Enabled; enabled != nil {
		words = append(words, map[bool]string{true: "on", false: "off"}[*enabled])
	}
	for _, word := range []any{body.Thinking.Type, body.Thinking.Tokens, body.Output.Effort, body.Reasoning.Effort, body.ReasoningEffort, body.Think} {
		if text := fmt.Sprint(word); word != nil && text != "" && text != "0" {
			words = append(words, text)
		}
	}
	return strings.Join(words, " ")
}

func TestEveryHostGetsItsOwnEffortWord(t *testing.T) {
	var page strings.Builder
	page.WriteString(effortPage)
	for _, h := range hosts {
		fmt.Fprintf(&page, "| `%s` | `%s` |", h.provider, h.model)
		if said := h.told(t, ""); said != "" {
			t.Errorf("%s %s: no one said how long to think, and it got %s", h.provider, h.model, said)
		}
		for _, effort := range providers.Efforts {
			said := h.told(t, effort)
			for _, word := range strings.Fields(said) {
				number := strings.Trim(word, "0123456789") == "" && strings.Contains(h.takes, "tokens")
				if h.takes != "any" && !number && !slices.Contains(strings.Fields(h.takes), word) {
					t.Errorf("%s %s gets %q for %s, and takes %q", h.provider, h.model, said, effort, h.takes)
				}
			}
			if said == "" {
				said = "·"
			}
			fmt.Fprintf(&page, " %s |", said)
		}
		fmt.Fprintf(&page, " %s |\n", h.source)
	}
	const path = "../../docs/efforts.md"
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(path, []byte(page.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if there, err := os.ReadFile(path); err != nil || string(there) != page.String() {
		t.Errorf("docs/efforts.md is not what the hosts are reported (%v); make golden writes it", err)
	}
}

const effortPage = `# Thinking levels by model

This page lists the values that Marvin sends to each host for a thinking level. [models.md](models.md#how-long-a-model-thinks) explains how to set a thinking level, for example:

` + "```" + `console
$ marvin --effort high
` + "```" + `

Marvin has seven levels: ` + "`" + `off` + "`" + `, ` + "`" + `minimal` + "`" + `, ` + "`" + `low` + "`" + `, ` + "`" + `medium` + "`" + `, ` + "`" + `high` + "`" + `, ` + "`" + `xhigh` + "`" + ` and ` + "`" + `max` + "`" + `. Each host uses its own names for these levels, and the names can differ from model to model. If a model does not accept a level, Marvin sends the nearest level that the model accepts.

- ` + "`" + `·` + "`" + ` in the table means that Marvin sends no level, because the model has no levels or because the model itself decides how long it thinks. A number in the table is a thinking budget in tokens.
- If a model is not in the table, Marvin uses the row of a model whose name begins the same way. For example, ` + "`" + `gpt-5.4-mini` + "`" + ` uses the row of ` + "`" + `gpt-5.4` + "`" + `. If the table has no such row, Marvin sends the name of the level unchanged. If the server refuses a level, Marvin repeats the request without a level.
- To Copilot, Marvin sends ` + "`" + `low` + "`" + `, ` + "`" + `medium` + "`" + `, ` + "`" + `high` + "`" + `, ` + "`" + `xhigh` + "`" + ` or ` + "`" + `max` + "`" + `. For ` + "`" + `off` + "`" + ` and ` + "`" + `minimal` + "`" + `, Marvin sends ` + "`" + `low` + "`" + `.

A test writes this table from the requests that Marvin actually sends. The test also compares each value with the values in the host's documentation. The last column names the source of the documented values, as of November 2026. *official* means that the host itself published the page or library; we read a stored copy of it. *third party* means that the values come from the named source, which is not the host itself. We did not test with OpenAI, Anthropic or xAI accounts.

| host | model | off | minimal | low | medium | high | xhigh | max | source |
|---|---|---|---|---|---|---|---|---|---|
`
