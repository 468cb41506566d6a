package settings

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"

	"marvin/persistence/internal/yamltext"
)

// Provider is one entry of the section "providers" in config.yaml.
type Provider struct {
	Name string
	// Wire is the protocol: "chat", "responses", "anthropic" or "ollama". "" means the protocol of
	// the known provider with the same name. For an unknown provider, "" means "chat".
	Wire  string
	URL   string
	Key   string // $NAME, file:PATH, keyring:NAME or !command; "" for none
	Model string // the default model
	// Marvin sends Headers with every request, but sends Body only with prompts. A header value is
	// $NAME, file:PATH, keyring:NAME, or literal text that can contain ${NAME}.
	Headers map[string]string
	Body    map[string]any
	// Models contains the models in file order.
	Models []Model
}

// Model holds the settings of one model in config.yaml. Fields that the file does not set are zero.
type Model struct {
	Name    string
	Window  int
	Most    int // maximum number of tokens in an answer
	Price   *Price
	Sees    *bool
	Tools   *bool // supports tools
	Efforts []string
}

// Efforts lists the efforts in order of increasing thinking time.
var Efforts = []string{"off", "minimal", "low", "medium", "high", "xhigh", "max"}

// Roles contains the roles that can have a model of their own.
var Roles = []string{"default", "small", "plan", "vision", "review"}

type (
	providerFile struct {
		Wire    wire        `yaml:"wire"`
		URL     baseURL     `yaml:"url"`
		Key     keySource   `yaml:"key"`
		Model   string      `yaml:"model"`
		Models  modelList   `yaml:"models"`
		Headers headerTable `yaml:"headers"`
		Body    bodyTable   `yaml:"body"`
	}
	modelFile struct {
		Window  count      `yaml:"window"`
		Most    count      `yaml:"most"`
		Price   *rates     `yaml:"price"`
		Sees    *bool      `yaml:"sees"`
		Tools   *bool      `yaml:"tools"`
		Efforts effortList `yaml:"efforts"`
	}
	rates struct {
		In      *amount `yaml:"in"`
		Out     *amount `yaml:"out"`
		Cached  *amount `yaml:"cached"`
		Written *amount `yaml:"written"`
	}
	modelList   []Model
	headerTable map[string]string
	bodyTable   map[string]any
	wire        string
	keySource   string
	effortList  []string
	effort      string
	roleFile    map[string][]string
	choiceList  []string
	providers   []Provider
)

// UnmarshalYAML decodes the providers in file order.
func (p *providers) UnmarshalYAML(node ast.Node) error {
	return eachOf(node, "providers must map names to settings, such as mine: {wire: chat, url: https://host/v1, key: $MINE_KEY}", func(key, value ast.Node) error {
		name := strings.ToLower(key.GetToken().Value)
		if strings.ContainsAny(name, "/ \t,") || name == "" {
			return yamltext.ErrorAt(key, "%q is not a name for a provider: use one word without slashes", name)
		}
		var file providerFile
		if value.Type() != ast.NullType {
			if err := yaml.NodeToValue(value, &file, yaml.Strict()); err != nil {
				return err
			}
		}
		*p = append(*p, Provider{Name: name, Wire: string(file.Wire), URL: string(file.URL), Key: string(file.Key), Model: file.Model, Models: file.Models, Headers: file.Headers, Body: file.Body})
		return nil
	})
}

// reservedHeaders lists the headers that only Marvin sets.
var reservedHeaders = []string{"host", "content-length", "content-type", "transfer-encoding", "connection"}

// UnmarshalYAML decodes the names and values of headers. It refuses the headers in
// reservedHeaders.
func (h *headerTable) UnmarshalYAML(node ast.Node) error {
	*h = headerTable{}
	return eachOf(node, "headers must map names to values, such as X-Title: mine", func(key, value ast.Node) error {
		name := key.GetToken().Value
		text, ok := wordIn(value)
		switch {
		case !validHeader(name) || slices.Contains(reservedHeaders, strings.ToLower(name)):
			return yamltext.ErrorAt(key, "%q is not a header that can be set here", name)
		case !ok || strings.ContainsAny(text, "\r\n\x00"):
			return yamltext.ErrorAt(value, "the header %s needs a one-line value: the text itself, $NAME for a variable, file:PATH or keyring:NAME", name)
		}
		(*h)[name] = text
		return nil
	})
}

func validHeader(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(char rune) bool {
		return char > '~' || char <= ' ' || strings.ContainsRune(`"(),/:;<=>?@[\]{}`, char)
	})
}

// ownFields lists the request fields that only Marvin sets.
var ownFields = []string{"messages", "input", "tools", "system", "instructions", "stream", "model"}

// UnmarshalYAML decodes request fields. It rejects the fields in ownFields.
func (b *bodyTable) UnmarshalYAML(node ast.Node) error {
	var all map[string]any
	if node.Type() == ast.NullType {
		return nil
	}
	if err := yaml.NodeToValue(node, &all); err != nil {
		return yamltext.ErrorAt(node, "body must map request fields to values, such as body: {temperature: 0.2}")
	}
	for _, field := range ownFields {
		if _, there := all[field]; there {
			return yamltext.ErrorAt(node, "Marvin sets the field %s; leave it out of \"body\"", field)
		}
	}
	// The values are converted through JSON, because the configuration cache stores them as JSON.
	encoded, err := json.Marshal(all)
	if err == nil {
		err = json.Unmarshal(encoded, (*map[string]any)(b))
	}
	if err != nil {
		return yamltext.ErrorAt(node, "\"body\" has a value that JSON cannot express")
	}
	return nil
}

// UnmarshalYAML decodes the models in file order.
func (m *modelList) UnmarshalYAML(node ast.Node) error {
	return eachOf(node, "models must map names to properties, such as m1: {window: 200000, sees: true}", func(key, value ast.Node) error {
		var file modelFile
		if value.Type() != ast.NullType {
			if err := yaml.NodeToValue(value, &file, yaml.Strict()); err != nil {
				return err
			}
		}
		model := Model{Name: key.GetToken().Value, Window: int(file.Window), Most: int(file.Most), Sees: file.Sees, Tools: file.Tools, Efforts: file.Efforts}
		if file.Price != nil {
			if file.Price.In == nil || file.Price.Out == nil {
				return yamltext.ErrorAt(key, "a price needs \"in\" and \"out\", in US dollars per million tokens")
			}
			model.Price = &Price{Input: float64(*file.Price.In), Output: float64(*file.Price.Out), Cached: (*float64)(file.Price.Cached), Written: (*float64)(file.Price.Written)}
		}
		*m = append(*m, model)
		return nil
	})
}

func eachOf(node ast.Node, form string, each func(key, value ast.Node) error) error {
	mapping, ok := node.(ast.MapNode)
	if !ok {
		if node.Type() == ast.NullType {
			return nil
		}
		return yamltext.ErrorAt(node, "%s", form)
	}
	for entries := mapping.MapRange(); entries.Next(); {
		if err := each(entries.Key(), entries.Value()); err != nil {
			return err
		}
	}
	return nil
}

// UnmarshalYAML accepts a protocol that Marvin speaks.
func (w *wire) UnmarshalYAML(node ast.Node) error {
	return yamltext.OneOf(node, (*string)(w), "chat", "responses", "anthropic", "ollama")
}

// UnmarshalYAML accepts the source of a key. It refuses a literal key, because secrets do not
// belong in config.yaml.
func (k *keySource) UnmarshalYAML(node ast.Node) error {
	text := strings.TrimSpace(node.GetToken().Value)
	rest := ""
	for _, begin := range []string{"$", "file:", "keyring:", "!"} {
		if after, ok := strings.CutPrefix(text, begin); ok {
			rest = after
		}
	}
	if strings.TrimSpace(rest) == "" {
		return yamltext.ErrorAt(node, "\"key\" must not contain the key itself; say where it is: $NAME for a variable, file:PATH, keyring:NAME, or \"!command\"")
	}
	*k = keySource(text)
	return nil
}

// UnmarshalYAML accepts a list of efforts.
func (e *effortList) UnmarshalYAML(node ast.Node) error {
	var list []string
	if yaml.NodeToValue(node, &list) != nil || slices.ContainsFunc(list, func(word string) bool { return !slices.Contains(Efforts, word) }) {
		return yamltext.ErrorAt(node, "efforts must be a list of %s", strings.Join(Efforts, ", "))
	}
	if list == nil {
		list = []string{}
	}
	*e = list
	return nil
}

// UnmarshalYAML accepts one of [Efforts].
func (e *effort) UnmarshalYAML(node ast.Node) error {
	return yamltext.OneOf(node, (*string)(e), Efforts...)
}

// UnmarshalYAML accepts, for each role, one model or a list of models.
func (r *roleFile) UnmarshalYAML(node ast.Node) error {
	*r = roleFile{}
	return eachOf(node, "roles must map names to models, such as small: [mine/m2, ollama/qwen3:4b]", func(key, value ast.Node) error {
		role := key.GetToken().Value
		if !slices.Contains(Roles, role) {
			return yamltext.ErrorAt(key, "there is no role %q; the roles are %s", role, strings.Join(Roles, ", "))
		}
		var list choiceList
		if err := list.UnmarshalYAML(value); err != nil {
			return err
		}
		(*r)[role] = list
		return nil
	})
}

// UnmarshalYAML accepts one model or a list of models.
func (c *choiceList) UnmarshalYAML(node ast.Node) error {
	nodes := []ast.Node{node}
	if list, ok := node.(*ast.SequenceNode); ok {
		nodes = list.Values
	}
	*c = nil
	for _, one := range nodes {
		choice, ok := wordIn(one)
		if provider, _, _ := strings.Cut(choice, "/"); !ok || strings.TrimSpace(provider) == "" {
			return yamltext.ErrorAt(one, "a role needs a model written as provider/model, or a list of such models")
		}
		*c = append(*c, choice)
	}
	return nil
}

// wordIn returns the text of a single word or number. It also accepts a mapping, because the YAML
// library finds a mapping in "[qwen3:4b]".
func wordIn(node ast.Node) (string, bool) {
	switch node := node.(type) {
	case *ast.MappingNode:
		if len(node.Values) == 1 {
			return wordIn(node.Values[0])
		}
	case *ast.MappingValueNode:
		value, ok := wordIn(node.Value)
		return node.Key.GetToken().Value + ":" + value, ok
	case ast.ScalarNode:
		return node.GetToken().Value, node.Type() != ast.NullType
	}
	return "", false
}
