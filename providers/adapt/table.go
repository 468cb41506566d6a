package adapt

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"marvin/providers"
)

// row contains a pattern for refusals and the shape that avoids such refusals. The pattern is in
// lower case.
type row struct {
	words *regexp.Regexp
	shape shapes
}

// rows returns patterns for refusals that concern the form of the messages. The wordings come from
// OpenAI, Anthropic, Mistral, Gemini, vLLM, llama.cpp (including its templates), LiteLLM, DeepSeek
// and Cerebras. The first matching row with an applicable, untried shape is used.
var rows = sync.OnceValue(func() (list []row) {
	for _, one := range []struct {
		words string
		shape shapes
	}{
		{`tool.?call.?id|tool.?use.?id|call.?id|alphanumeric|a-za-z0-9, with a length`, shortIDs},
		{`prefill|(last|final) (message|role|turn|input)|must end with|(last|final).{0,30}\b(user|assistant)\b|ends? with.{0,20}(assistant|model)`, userLast},
		{`first (message|role|turn|non-system)|(start|begin)s? with.{0,20}user`, userFirst},
		{`user.{0,12} after (role )?.{0,4}tool|tool.{0,30}followed by.{0,20}(assistant|user)|after (a )?(function|tool) (response|result|message)`, bridged},
		{`alternat|consecutive|same role|in a row|(two|multiple|successive) user`, merged},
		{`system.?(role|message|prompt|instruction)|role.{0,30}system|system.{0,40}(support|beginning|first|allowed|valid)|['"` + "`" + `]system['"` + "`" + `]|developer|instructions`, systemless},
		{`(tool|function|result|response|content)[^.]{0,40}\bname\b|\bname\b[^.]{0,40}(tool|function|result)|(missing|required|requires?|without)[^.]{0,20}\bname\b`, namedResult},
		{`role[^.]{0,40}\b(tool|function)\b|\b(tool|function)\b[^.]{0,12} (role|message)|['"` + "`" + `]tool['"` + "`" + `] (is|was) not|unknown variant .?tool\b`, inWords},
		{`content.{0,60}(null|none|nil\b|missing|required|expected (a )?string|valid string|string type)|(null|none|nil|missing|required).{0,60}content`, emptyText},
		{`(content|text|message).{0,60}(empty|blank|non-?whitespace|min_?length|at least 1|too short)|(empty|blank).{0,60}(content|text|message|assistant)`, someText},
		{`(content|system|text).{0,80}(must|should|expected|has to).{0,30}(array|list|sequence)|(array|list|sequence).{0,30}expected|valid (list|array)`, partsText},
		{`(content|system|text).{0,80}(must|should|expected|has to|only).{0,30}string|invalid type: sequence|got (array|list)|list.{0,20} is not`, plainText},
	} {
		list = append(list, row{regexp.MustCompile(one.words), one.shape})
	}
	return list
})

// kin is the table of words in error messages and of the related request fields.
var kin = []struct {
	words  []string
	fields []string
}{
	{[]string{"reasoning", "effort", "thinking", "enable_thinking", "output_config"}, []string{"reasoning_effort", "reasoning", "thinking", "think", "output_config"}},
	{[]string{"encrypted"}, []string{"include"}},
	{[]string{"include_usage"}, []string{"stream_options"}},
	{[]string{"cache_control", "caching", "cache"}, []string{"cache_control", "prompt_cache_key"}},
	{[]string{"num_predict", "num_ctx"}, []string{"options"}},
	{[]string{"strict"}, []string{"strict"}},
	{[]string{"streaming"}, []string{"stream", "stream_options"}},
}

// essential contains the fields that are never passed to leaveOut. The toolless shape removes tools
// instead.
var essential = []string{"model", "messages", "input", "tools", "system", "instructions"}

// keywords contains the lower-case forms of schema keywords that hosts refuse.
var keywords = []string{
	"additionalproperties", "patternproperties", "propertynames", "unevaluatedproperties", "dependentrequired", "dependentschemas",
	"exclusiveminimum", "exclusivemaximum", "multipleof", "minlength", "maxlength", "minitems", "maxitems", "uniqueitems", "minproperties", "maxproperties",
	"$schema", "$ref", "$defs", "$id", "$comment", "definitions", "examples", "deprecated", "readonly", "writeonly", "contentencoding", "contentmediatype",
	"oneof", "anyof", "allof", "const", "prefixitems", "pattern", "format", "default", "minimum", "maximum", "nullable",
}

// spelled contains camel-case keywords, indexed by their lower-case forms.
var spelled = map[string]string{
	"additionalproperties": "additionalProperties", "patternproperties": "patternProperties", "propertynames": "propertyNames", "unevaluatedproperties": "unevaluatedProperties",
	"dependentrequired": "dependentRequired", "dependentschemas": "dependentSchemas", "exclusiveminimum": "exclusiveMinimum", "exclusivemaximum": "exclusiveMaximum",
	"multipleof": "multipleOf", "minlength": "minLength", "maxlength": "maxLength", "minitems": "minItems", "maxitems": "maxItems", "uniqueitems": "uniqueItems",
	"minproperties": "minProperties", "maxproperties": "maxProperties", "readonly": "readOnly", "writeonly": "writeOnly", "contentencoding": "contentEncoding",
	"contentmediatype": "contentMediaType", "oneof": "oneOf", "anyof": "anyOf", "allof": "allOf", "prefixitems": "prefixItems",
}

// hopeless is a pattern for refusals that concern the model, the account or the content. Changing
// the form of the request would not help.
var hopeless = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\bmodel[^.]{0,60}(not (be )?found|does not exist|not exist|unknown|invalid|not available|not a valid|no access|decommissioned|deprecated)|(unknown|invalid|no such|unsupported) model|model_not_found|api.?key|credential|billing|credit|quota|content.?(filter|policy|management)|moderation|safety|flagged|country|region|location is not|organization|project .{0,40}(not|disabled)`)
})

// adapt modifies the form of a request after a refusal. It changes the part that is named in the
// refusal or, if no part is named, everything that may be the cause. On the last attempt, it also
// changes everything that the server might refuse next. It returns false if nothing is left to
// change.
func (h *Host) adapt(f form, question providers.Question, at *attempt, status *providers.StatusError, last bool) (form, bool) {
	message, body := strings.ToLower(status.Message), at.sent()
	f.named = false
	if body == nil {
		return f, false
	}
	if status.Status == http.StatusNotFound || status.Status == http.StatusMethodNotAllowed {
		if !h.Closed && !f.v1 && !versioned().MatchString(at.path) && !strings.Contains(message, "model") && !strings.Contains(message, "tool") {
			f.v1 = true
			f.say("/v1 is missing from the provider's address in config.yaml or the environment (write %s)", strings.TrimSuffix(withV1(at.path), endpointOf(at.path)))
			return f, true
		}
	}
	if errors.Is(status, providers.ErrTooLong) {
		return f, f.answerLimit(body, message)
	}
	if f.named = h.changeNamed(&f, question, body, message, strings.HasSuffix(at.path, "/messages")); f.named {
		if last {
			h.changeHarmlessly(&f, question, body)
		}
		return f, true
	}
	client := status.Status == http.StatusBadRequest || status.Status == http.StatusUnprocessableEntity
	if !client || hopeless().MatchString(message) {
		return f, false
	}
	return h.handleUnclear(f, question, body, last)
}

var versioned = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`/v\d|/api/chat$`) })

func endpointOf(path string) string {
	for _, end := range endpoints {
		if strings.HasSuffix(path, end) {
			return end
		}
	}
	return ""
}

func (f *form) say(text string, values ...any) { f.said = append(f.said, fmt.Sprintf(text, values...)) }

func (f *form) take(shape shapes) bool {
	if f.shapes&shape != 0 {
		return false
	}
	f.shapes |= shape
	f.say("%s", shapeNotices[shape])
	return true
}

// leaveOut records that a field must be left out. It returns false if the field was already left
// out.
func (f *form) leaveOut(field string) bool {
	if slices.Contains(f.fields, field) {
		return false
	}
	f.fields = append(f.fields, field)
	f.say("%s is left out", field)
	return true
}

func (h *Host) changeNamed(f *form, question providers.Question, body map[string]json.RawMessage, message string, anthropic bool) bool {
	if f.leaveOutInTools(question.Tools, body, message) {
		return true
	}
	if tools := culprits(question.Tools, message); len(tools) > 0 {
		for _, tool := range tools {
			f.tools = append(f.tools, tool)
			f.say("the tool %s is left out, because its schema is refused", tool)
		}
		return true
	}
	if f.answerLimit(body, message) || f.leaveOutFields(body, message, anthropic) {
		return true
	}
	shaped := !aboutSchemas().MatchString(message)
	for _, row := range rows() {
		if shaped && row.words.MatchString(message) && h.applies(row.shape, question, body) && f.take(row.shape) {
			return true
		}
	}
	return h.leaveOutTools(f, question, message)
}

// leaveOutInTools handles a refusal that names a field or a schema keyword in one tool. All tools
// lose the field or keyword, because the refusal names only one of the tools that contain it.
func (f *form) leaveOutInTools(list []providers.ToolSpec, body map[string]json.RawMessage, message string) bool {
	for _, found := range toolFieldPattern().FindAllStringSubmatch(message, -1) {
		if field := found[1]; isMark(field) && strings.Contains(string(body["tools"]), `"`+field+`"`) {
			return f.leaveOut(field)
		}
		keyword := cmp.Or(spelled[found[1]], found[1])
		if !slices.Contains(keywords, found[1]) || slices.Contains(f.keywords, keyword) || strings.HasSuffix(found[0], "properties."+found[1]) {
			continue
		}
		users := 0
		for _, tool := range list {
			if strings.Contains(string(tool.Schema), `"`+keyword+`":`) {
				users++
			}
		}
		if users > 1 {
			f.keywords = append(f.keywords, keyword)
			f.say("%s is left out of the schemas of tools", keyword)
			return true
		}
	}
	return false
}

// toolFieldPattern finds the last name in a path such as tools[0].function.strict.
var toolFieldPattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:tools|function_declarations|functions)[\[.]\d+\]?(?:\.[a-z0-9_$]+|\[\w+\])*\.([a-z_$]+)`)
})

func (h *Host) applies(shape shapes, question providers.Question, body map[string]json.RawMessage) bool {
	changed := form{shapes: shape}
	if shape == partsText && body["options"] != nil {
		return false // Ollama's messages have no parts
	}
	if shape == systemless && h.Closed {
		return false // the Copilot CLI sends a system message with each request
	}
	if shape&inBody == 0 {
		before, after := question, h.applyForm(changed, question)
		return before.System != after.System || !slices.EqualFunc(providers.RepairFor(h.Origin, before.Messages), after.Messages, sameMessage)
	}
	for _, list := range []string{"messages", "input", "system"} {
		raw := body[list]
		written, err := changed.rewritten(raw, list == "input")
		if list == "system" && shape == plainText {
			written = joinParts(raw)
		}
		if err == nil && raw != nil && string(canonical(raw)) != string(canonical(written)) {
			return true
		}
	}
	return false
}

// canonical normalizes JSON text, so that equal values have equal texts.
func canonical(raw json.RawMessage) json.RawMessage {
	var value any
	if json.Unmarshal(raw, &value) != nil {
		return raw
	}
	return encoded(value, raw)
}

var aboutSchemas = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`schema|function_declarations|\bparameters?\.|input_schema|grammar|\btools?[\[.]\d`)
})

func (f *form) leaveOutFields(body map[string]json.RawMessage, message string, anthropic bool) (changed bool) {
	for _, field := range names(body) {
		if slices.Contains(essential, field) || anthropic && field == "max_tokens" {
			continue
		}
		if mentions(message, field) {
			changed = f.leaveOut(field) || changed
			message = strings.ReplaceAll(message, field, "")
		}
	}
	if changed {
		return true
	}
	for _, group := range kin {
		if !slices.ContainsFunc(group.words, func(word string) bool { return mentions(message, word) }) {
			continue
		}
		for _, field := range group.fields {
			there := body[field] != nil || isMark(field) && strings.Contains(string(body["tools"])+string(body["system"]), `"`+field+`"`)
			if there {
				changed = f.leaveOut(field) || changed
			}
		}
	}
	return changed
}

// culprits returns the names of the tools whose schemas the server refused. The error message can
// identify a tool by name or by position.
func culprits(tools []providers.ToolSpec, message string) (names []string) {
	all := places().FindAllStringSubmatch(message, -1)
	inner := slices.ContainsFunc(all, func(found []string) bool { return found[1] == "function_declarations" }) // Gemini puts all functions into one tool
	for _, found := range all {
		if inner && found[1] != "function_declarations" {
			continue
		}
		if at, err := strconv.Atoi(found[2]); err == nil && at < len(tools) && !slices.Contains(names, tools[at].Name) {
			names = append(names, tools[at].Name)
		}
	}
	if len(names) > 0 {
		return names
	}
	if !aboutSchemas().MatchString(message) && !aboutOne().MatchString(message) || strings.HasPrefix(message, "messages") || strings.HasPrefix(message, "input[") {
		return nil
	}
	for _, tool := range tools {
		name := strings.ToLower(tool.Name)
		quoted := strings.Contains(message, `'`+name+`'`) || strings.Contains(message, `"`+name+`"`) || strings.Contains(message, "`"+name+"`")
		if quoted || strings.ContainsAny(name, "_-") && mentions(message, name) || aboutSchemas().MatchString(message) && (mentions(message, "function "+name) || mentions(message, "tool "+name)) {
			names = append(names, tool.Name)
		}
	}
	return names
}

var aboutOne = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`parameter|propert|declaration|invalid (tool|function)|(tool|function)[^.]{0,80}(invalid|not supported|unsupported|not allowed|reserved)`)
})

// places is a pattern for the position of a tool, such as "tools[3]" or "functions.3".
var places = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(tools|function_declarations|functions)(?:\[|\.|/|', |", )(\d+)\b`)
})

// leaveOutTools handles a refusal that concerns tools. If the refusal names a schema keyword, the
// keyword is left out. If the refusal concerns schemas in general, foreign tools are left out.
// Otherwise, all tools are left out.
func (h *Host) leaveOutTools(f *form, question providers.Question, message string) bool {
	if len(question.Tools) == 0 {
		return false
	}
	schemas := aboutSchemas().MatchString(message) || strings.Contains(message, "unknown name") || strings.Contains(message, "keyword")
	if schemas {
		for _, keyword := range keywords {
			exact := keyword
			if other := spelled[keyword]; other != "" {
				exact = other
			}
			used := slices.ContainsFunc(question.Tools, func(tool providers.ToolSpec) bool { return strings.Contains(string(tool.Schema), `"`+exact+`":`) })
			if used && mentions(message, keyword) && !slices.Contains(f.keywords, exact) {
				f.keywords = append(f.keywords, exact)
				f.say("%s is left out of the schemas of tools", exact)
				return true
			}
		}
	}
	if !schemas && !aboutTools().MatchString(message) {
		return false
	}
	if schemas && h.dropForeign(f, question) {
		return true
	}
	return f.take(toolless)
}

var aboutTools = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\btools?\b|tool.?(use|choice|call)|function.?call|\bfunctions?\b`)
})

// dropForeign leaves out the tools that are not Marvin's own.
func (h *Host) dropForeign(f *form, question providers.Question) bool {
	var foreign []string
	for _, tool := range question.Tools {
		if h.foreign(tool.Name) {
			foreign = append(foreign, tool.Name)
		}
	}
	if len(foreign) == 0 || len(foreign) == len(question.Tools) && h.Own == nil {
		return false
	}
	f.tools, f.suspects = append(f.tools, foreign...), append(f.suspects, foreign...)
	f.say("these tools are left out: %s", strings.Join(foreign, ", "))
	return true
}

// changeHarmlessly leaves out optional fields and writes the messages in the form that most servers
// accept. The conversation loses nothing.
func (h *Host) changeHarmlessly(f *form, question providers.Question, body map[string]json.RawMessage) (changed bool) {
	for _, field := range names(body) {
		if !slices.Contains(essential, field) && !slices.Contains(limits, field) && field != "stream" {
			changed = f.leaveOut(field) || changed
		}
	}
	for _, shape := range []shapes{someText, merged, bridged, userFirst, userLast, shortIDs, namedResult} {
		if h.applies(shape, question, body) {
			changed = f.take(shape) || changed
		}
	}
	return changed
}

// handleUnclear handles refusals that do not name their cause. It first makes the changes of
// changeHarmlessly and dropForeign. After the next refusal, it leaves out all tools. On the last
// attempt, it makes all changes at once.
func (h *Host) handleUnclear(f form, question providers.Question, body map[string]json.RawMessage, last bool) (form, bool) {
	changed := h.changeHarmlessly(&f, question, body)
	changed = len(question.Tools) > 0 && h.dropForeign(&f, question) || changed
	if changed && !last && f.shapes&toolless == 0 {
		return f, true
	}
	for _, shape := range []shapes{systemless, inWords} {
		if h.applies(shape, question, body) {
			changed = f.take(shape) || changed
		}
	}
	if len(question.Tools) > 0 {
		changed = f.take(toolless) || changed
	}
	return f, changed
}

// mentions returns true if the given word occurs in the message, outside longer words.
func mentions(message, word string) bool {
	letter := func(at int) bool {
		if at < 0 || at >= len(message) {
			return false
		}
		char := message[at]
		return char == '_' || 'a' <= char && char <= 'z' || '0' <= char && char <= '9'
	}
	for from := 0; ; {
		at := strings.Index(message[from:], word)
		if at < 0 {
			return false
		}
		at += from
		if !letter(at-1) && !letter(at+len(word)) {
			return true
		}
		from = at + 1
	}
}
