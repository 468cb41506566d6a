package words

import (
	"net/http"

	"marvin/tools"
)

// Service asks for definitions and translations.
type Service struct{ client *http.Client }

// New makes the service.
func New(client *http.Client) Service { return Service{client: client} }

// Tools lists the tools of this category.
func (s Service) Tools() []tools.Tool { return []tools.Tool{s.lookupTool(), s.translateTool()} }
