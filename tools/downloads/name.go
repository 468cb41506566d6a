package downloads

import (
	"cmp"
	"errors"
	"mime"
	"net/http"
	"path"
	"strings"
	"unicode"

	"marvin/tools"
)

const maxName = 200 // bytes; file systems allow 255

// cleanName makes a safe file name from a name that a model or a server chose. The result contains
// no directories, control characters or leading dots.
func cleanName(given string) (string, error) {
	name := given[strings.LastIndexAny(given, `/\`)+1:]
	name = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || strings.ContainsRune(`<>:"|?*`, r) {
			return '_'
		}
		return r
	}, strings.ToValidUTF8(name, "_"))
	name = strings.TrimRight(strings.TrimLeft(name, ". "), ". ")
	if name == "" {
		return "", tools.Advise(errors.New("the filename is empty"), "Give a name such as report.pdf, without a directory.")
	}
	if len(name) > maxName { // keep the extension, because it shows the file's type
		ending := path.Ext(name)
		if len(ending) > 20 {
			ending = ""
		}
		name = strings.ToValidUTF8(name[:maxName-len(ending)], "") + ending
	}
	return name, nil
}

// nameOf returns the file name from the server's reply or, if the reply has none, the last part of
// the address.
func nameOf(response *http.Response) string {
	if _, fields, err := mime.ParseMediaType(response.Header.Get("Content-Disposition")); err == nil {
		if name, err := cleanName(fields["filename"]); err == nil {
			return name
		}
	}
	if name, err := cleanName(path.Base(response.Request.URL.Path)); err == nil {
		return name
	}
	if kindOf(response) == "text/html" {
		return "index.html"
	}
	return "download"
}

func kindOf(response *http.Response) string {
	kind, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type"))
	return cmp.Or(kind, "unknown kind")
}
