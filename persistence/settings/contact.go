package settings

import (
	"fmt"
	"net/mail"
	"net/url"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"marvin/persistence/internal/yamltext"
)

// contact is an address at which volunteer-run services can reach the user.
type contact string

// UnmarshalYAML accepts an address that passes [CheckContact].
func (c *contact) UnmarshalYAML(node ast.Node) error {
	*c = contact(node.GetToken().Value)
	if err := CheckContact(string(*c)); err != nil {
		return yamltext.ErrorAt(node, "%v", err)
	}
	return nil
}

// CheckContact accepts an e-mail address or the URL of a web page. The text is sent unchanged in an
// HTTP header.
func CheckContact(text string) error {
	if address, err := mail.ParseAddress(text); err == nil && address.Address == text && plainText(text) {
		return nil
	}
	if page, err := url.Parse(text); err == nil && page.Host != "" && page.User == nil && (page.Scheme == "https" || page.Scheme == "http") && plainText(text) {
		return nil
	}
	return fmt.Errorf("%q is not a contact; give an e-mail address or a web page, such as me@example.org", text)
}

// plainText reports whether text can be sent in an HTTP header comment.
func plainText(text string) bool {
	return len(text) <= 200 && !strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r >= 0x7f || strings.ContainsRune(`();\"`, r) })
}
