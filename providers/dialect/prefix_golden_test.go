package dialect

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"marvin/persistence/goldentest"
	"marvin/providers"
)

// verdicts returns the verdicts on the beginnings of a text, each one character longer: how many
// may become a call (p), are complete (w), or can never become one (n).
func verdicts(g grammar, text string) string {
	var out strings.Builder
	last, count := verdict(9), 0
	flush := func() {
		if count > 0 {
			fmt.Fprintf(&out, "%d%c ", count, "npw"[last])
		}
	}
	for end := 1; end <= len(text); end++ {
		if _, is := g.read(text[:end]); is != last {
			flush()
			last, count = is, 1
		} else {
			count++
		}
	}
	flush()
	return out.String()
}

func TestCallPrefixes(t *testing.T) {
	offered := []providers.ToolSpec{{Name: "read"}, {Name: "reads"}, {Name: "go"}}
	g := newFilter(offered, nil).grammar
	var out strings.Builder
	for _, text := range []string{
		"<tool_call>{\"name\":\"read\",\"arguments\":{\"a\":1}}</tool_call>", "<tool_call>\n{\"name\": \"go\"}\n</tool_call>\n<tool_call>{\"name\":\"go\"}", "<tool_call>{\"name\":\"go\"} x", "<tool_call>{\"name\":\"go\"}<tool_call>{\"name\":\"go\"}", "<tool_call>{\"name\":\"go\"}\n<function=go></function>", "<tool_call>{\"name\":\"go\"}<|im_end|>", "<tool_call>{\"name\":\"go\"}</s>;", "<tool_call>{\"name\":\"other\"}",
		"<tool_call>x", "<tool_call>{\"name\":7}", "<tool_call>{\"name\":\"go\",\"x\":1}", "<tool_call>{\"name\" : \"go\",\"arguments\":\"{\\\"a\\\":2}\"}", "<tool_call>{\"name\":\"go\",\"arguments\":\"x\"}", "<tool_call>{\"name\":\"go\",\"arguments\":[1]}", "<tool_call>{\"name\":\"go\",\"arguments\":null}",
		"<tool_call>{\"name\":\"go\",\"arguments\":{},\"parameters\":{}}", "<tool_call>{\"parameters\":{\"p\":{\"q\":[1]}},\"name\":\"go\"}", "<tool_call>{\"type\":\"function\",\"function\":{\"name\":\"go\",\"arguments\":{}}}", "<tool_call>{\"function\":\"go\"}", "<tool_call>{\"function\":{\"name\":\"go\"},\"name\":\"go\"}", "<tool_call>{\"function\":}",
		"<tool_call><function=read>\n<parameter=path>\na\n</parameter>\n</function></tool_call>", "<function=go></function>", "<function=go>x", "<function=go>\n<parameter=a>1</parameter><parameter=a>2</parameter></function>", "<function=go><parameter=></parameter>", "<function=go><parameter=a b></parameter>", "<function=go><parameter=a<></parameter>",
		"<function=go><parameter=a>x\n<parameter=b>y</parameter></function>", "<function=go><parameter=a><&></parameter></function> ", "<function=other></function>", "<function=rea>", "<function=go><other>", "<function=go></function><function=read></function>",
		"[TOOL_CALLS][{\"name\":\"go\",\"arguments\":{}},{\"name\":\"read\",\"arguments\":{}}]", "[TOOL_CALLS] {\"name\":\"go\",\"arguments\":{}}", "[TOOL_CALLS]go[ARGS]{\"a\":1}", "[TOOL_CALLS]go{\"a\":1}[TOOL_CALLS]read{}", "[TOOL_CALLS]go [1]", "[TOOL_CALLS]other{}", "[TOOL_CALLS][]", "[TOOL_CALLS][{\"name\":\"other\"}]", "[TOOL_CALLS][7]", "[TOOL_CALLS]go[AR]{}", "[TOOL_CALLS]go\n{}", "[TOOL_CALLS]xyz", "[TOOL_CALLS][{\"name\":\"go\"}]",
		"<|python_tag|>{\"name\":\"go\",\"parameters\":{}}<|eom_id|>", "<|python_tag|> x", "{\"name\":\"go\",\"arguments\":{}}", "{\"name\":\"go\"}", "{ \"name\" :\"go\",\"arguments\":{\"a\":\"}\\\"{\"}}", "{\"name\":\"go\",\"arguments\":{}}; {\"name\":\"read\",\"arguments\":{}}", "{\"a\":1}", "{}", "{7", "{\"name\":\"go\",\"arguments\":{]}", "{\"name\":\"go\",\"arguments\":{}} and", "{\"id\":1,\"name\":\"reads\",\"arguments\":{}}",
		"```json\n{\"name\":\"go\",\"arguments\":{}}\n```", "```\n{\"name\":\"go\",\"arguments\":{}}\n``` ", "```tool_call\n{\"name\":\"go\",\"arguments\":{}}```\nmore", "```js\n{}", "```go\nx", "```json \n{\"name\":\"go\",\"arguments\":{}} x", "```json\n{\"name\":\"other\"}", "```jsonx\n{", "```json\n{\"name\":\"go\",\"arguments\":{}}\n``` ```",
	} {
		calls, is := g.read(text)
		fmt.Fprintf(&out, "%q\n  %s", text, verdicts(g, text))
		for _, call := range calls {
			fmt.Fprintf(&out, "%s %s; ", call.Name, call.Args)
		}
		if is != whole && len(calls) > 0 {
			t.Errorf("%q has calls", text)
		}
		out.WriteString("\n")
	}
	for _, text := range []string{
		"plain\n<tool_call>{\"name\":\"go\"}</tool_call>", "  <tool_call>", "    <tool_call>x", "\r\n{\"name\":\"go\",\"arguments\":{}}", "a {\"name\":\"go\"}", "``` \n<function=go></function>\n```\n<function=go></function>", "`<function=go></function>", "``\n[TOOL_CALLS]go{}", "text\n```json\n{\"name\":\"go\",\"arguments\":{}}\n```",
		"<tool_call>no</tool_call>\n<tool_call>{\"name\":\"go\"}</tool_call>", "<b>bold</b>\n<tool", "{\"answer\":1}\n<function=go>", "{\"name\":\"go\",\"arguments\":{\"a\":\"" + strings.Repeat("x", 900) + "\"}}", "<function=go><parameter=a>" + strings.Repeat("y", 900), "[TOOL_CALLS]go{\"a\":\"" + strings.Repeat("z", 600),
	} {
		for _, size := range []int{1, 7, len(text)} {
			var shown []string
			f := newFilter(offered, func(part providers.Part) {
				if last := len(shown) - 1; part.Kind == providers.TextPart && last >= 0 && strings.HasPrefix(shown[last], "said ") {
					shown[last] += part.Text
				} else if part.Kind == providers.TextPart {
					shown = append(shown, "said "+part.Text)
				} else if told := "calling " + part.Text; last < 0 || shown[last] != told {
					shown = append(shown, told)
				}
			})
			for at := 0; at < len(text); at += size {
				f.part(providers.Part{Kind: providers.TextPart, Text: text[at:min(at+size, len(text))]})
			}
			held := string(f.held)
			f.release()
			fmt.Fprintf(&out, "%.60q by %d: %.300q, held %d %.20q\n", text, min(size, 99), shown, len(held), held)
		}
	}
	goldentest.Assert(t, "beginnings.golden", out.String(), os.Getenv("UPDATE_GOLDEN") != "")
}
