package main

import (
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
)

// parts are the modules that a binary was linked from, as it says itself.
type parts struct {
	goVersion string
	modules   []debug.Module
	dirs      map[string]string // where the sources of each lie
}

func readParts(program string) (parts, error) {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return parts{}, err
	}
	p := parts{goVersion: strings.TrimPrefix(info.GoVersion, "go"), dirs: map[string]string{}}
	for _, module := range info.Deps {
		p.modules = append(p.modules, *module)
	}
	slices.SortFunc(p.modules, func(a, b debug.Module) int { return strings.Compare(a.Path, b.Path) })
	out, err := exec.Command("go", "list", "-m", "-json", "all").Output()
	if err != nil {
		return parts{}, fmt.Errorf("go list -m: %w", err)
	}
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var module struct{ Path, Dir string }
		if err := decoder.Decode(&module); errors.Is(err, io.EOF) {
			return p, nil
		} else if err != nil {
			return parts{}, err
		}
		p.dirs[module.Path] = module.Dir
	}
}

// licenses are those of all modules and of Go itself, which want to come along.
func (p parts) licenses() ([]byte, error) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	fmt.Fprintf(&text, "This program contains the following, under the licenses below.\n")
	one := func(name, dir string) error {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return err
		}
		for _, entry := range entries {
			if !licensed.MatchString(entry.Name()) || entry.IsDir() {
				continue
			}
			content, err := os.ReadFile(filepath.Join(dir, entry.Name()))
			if err != nil {
				return err
			}
			fmt.Fprintf(&text, "\n%s\n%s, %s\n\n%s\n", strings.Repeat("=", 78), name, entry.Name(), bytes.TrimSpace(content))
		}
		return nil
	}
	if err := one("Go "+p.goVersion, strings.TrimSpace(string(root))); err != nil {
		return nil, err
	}
	for _, module := range p.modules {
		if err := one(module.Path, p.dirs[module.Path]); err != nil {
			return nil, err
		}
	}
	return text.Bytes(), nil
}

var licensed = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents)`)

// component is one in the words of CycloneDX.
type component struct {
	Type       string     `json:"type"`
	Ref        string     `json:"bom-ref"`
	Name       string     `json:"name"`
	Version    string     `json:"version"`
	Scope      string     `json:"scope,omitempty"`
	Hashes     []hash     `json:"hashes,omitempty"`
	PURL       string     `json:"purl"`
	Properties []property `json:"properties,omitempty"`
}

type hash struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// bill is the bill of materials of an archive: CycloneDX 1.5. Its serial number follows
// from the archive, so that the same archive has the same bill.
func (p parts) bill(name, version string, at time.Time, archive []byte) ([]byte, error) {
	self := component{
		Type: "application", Ref: "marvin", Name: "marvin", Version: version, PURL: "pkg:generic/marvin@" + version,
		Hashes:     []hash{{"SHA-256", fmt.Sprintf("%x", sha256.Sum256(archive))}},
		Properties: []property{{"marvin:archive", name}},
	}
	list := []component{{Type: "library", Name: "std", Version: p.goVersion, Scope: "required", PURL: "pkg:golang/std@" + p.goVersion}}
	for _, module := range p.modules {
		made := component{Type: "library", Name: module.Path, Version: module.Version, Scope: "required", PURL: "pkg:golang/" + module.Path + "@" + module.Version}
		switch {
		case module.Replace != nil:
			made.Properties = []property{{"go:replaced-by", module.Replace.Path}}
		case module.Sum != "":
			made.Properties = []property{{"go:sum", module.Sum}}
		}
		list = append(list, made)
	}
	type dependency struct {
		Ref     string   `json:"ref"`
		Depends []string `json:"dependsOn"`
	}
	needs := dependency{Ref: self.Ref}
	for i := range list {
		list[i].Ref = list[i].PURL
		needs.Depends = append(needs.Depends, list[i].Ref)
	}
	return json.MarshalIndent(map[string]any{
		"$schema": "http://cyclonedx.org/schema/bom-1.5.schema.json", "bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
		"serialNumber": "urn:uuid:" + uuid.NewSHA1(uuid.NameSpaceOID, archive).String(),
		"metadata":     map[string]any{"timestamp": at.Format(time.RFC3339), "component": self},
		"components":   list, "dependencies": []dependency{needs},
	}, "", "  ")
}
