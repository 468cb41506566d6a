package language

import "encoding/json"

// This file defines the parts of the Language Server Protocol 3.17 that Marvin uses.

type position struct {
	Line      int `json:"line"`
	Character int `json:"character"` // in UTF-16 units
}

type span struct {
	Start position `json:"start"`
	End   position `json:"end"`
}

type location struct {
	URI   string `json:"uri"`
	Range span   `json:"range"`
	// A LocationLink has TargetURI and TargetSelection instead of URI and Range.
	TargetURI       string `json:"targetUri"`
	TargetSelection *span  `json:"targetSelectionRange"`
}

// diagnostic is a problem, in the format that the protocol defines.
type diagnostic struct {
	Range    span            `json:"range"`
	Severity int             `json:"severity,omitempty"`
	Code     json.RawMessage `json:"code,omitempty"`
	Source   string          `json:"source,omitempty"`
	Message  string          `json:"message"`
	Tags     []int           `json:"tags,omitempty"`
	Data     json.RawMessage `json:"data,omitempty"`
}

type publishParams struct {
	URI         string       `json:"uri"`
	Version     *int         `json:"version"`
	Diagnostics []diagnostic `json:"diagnostics"`
}

type textDocument struct {
	URI string `json:"uri"`
}

type textEdit struct {
	Range   span   `json:"range"`
	NewText string `json:"newText"`
}

// documentChange edits one file if Kind is empty. Otherwise Kind is "create", "rename" or "delete".
type documentChange struct {
	Kind         string       `json:"kind"`
	TextDocument textDocument `json:"textDocument"`
	Edits        []textEdit   `json:"edits"`
}

type workspaceEdit struct {
	Changes         map[string][]textEdit `json:"changes"`
	DocumentChanges []documentChange      `json:"documentChanges"`
}

type symbol struct {
	Name          string    `json:"name"`
	Kind          int       `json:"kind"`
	Range         span      `json:"range"`
	Children      []symbol  `json:"children"`
	Location      *location `json:"location"` // in a SymbolInformation
	ContainerName string    `json:"containerName"`
}

type codeAction struct {
	Title    string         `json:"title"`
	Kind     string         `json:"kind"`
	Edit     *workspaceEdit `json:"edit"`
	Disabled *struct{}      `json:"disabled"`
	raw      json.RawMessage
}

// capabilities describes what a server can do. A raw JSON field contains a bool or an object.
type capabilities struct {
	Definition          json.RawMessage `json:"definitionProvider"`
	References          json.RawMessage `json:"referencesProvider"`
	DocumentSymbol      json.RawMessage `json:"documentSymbolProvider"`
	WorkspaceSymbol     json.RawMessage `json:"workspaceSymbolProvider"`
	Rename              json.RawMessage `json:"renameProvider"`
	CodeAction          json.RawMessage `json:"codeActionProvider"`
	Diagnostic          json.RawMessage `json:"diagnosticProvider"`
	Formatting          json.RawMessage `json:"documentFormattingProvider"`
	PositionEncoding    string          `json:"positionEncoding"`
	resolvesCodeActions bool
}

// can returns false if a capability is missing, false or null.
func can(capability json.RawMessage) bool {
	text := string(capability)
	return text != "" && text != "false" && text != "null"
}

// Marvin announces these client capabilities to every server.
var ours = json.RawMessage(`{
	"workspace": {"configuration": true, "workspaceFolders": true, "applyEdit": false, "didChangeWatchedFiles": {"dynamicRegistration": false},
		"symbol": {}, "workspaceEdit": {"documentChanges": true, "resourceOperations": ["create", "rename", "delete"]}, "diagnostics": {"refreshSupport": true}},
	"textDocument": {
		"synchronization": {"didSave": true}, "publishDiagnostics": {"versionSupport": true, "relatedInformation": false, "tagSupport": {"valueSet": [1, 2]}},
		"diagnostic": {"dynamicRegistration": false, "relatedDocumentSupport": false},
		"definition": {"linkSupport": true}, "references": {}, "documentSymbol": {"hierarchicalDocumentSymbolSupport": true},
		"rename": {"prepareSupport": false}, "formatting": {"dynamicRegistration": false},
		"codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix", "refactor", "source", "source.organizeImports"]}},
			"isPreferredSupport": true, "disabledSupport": true, "dataSupport": true, "resolveSupport": {"properties": ["edit"]}}},
	"window": {"workDoneProgress": true}, "general": {"positionEncodings": ["utf-16"]}
}`)
