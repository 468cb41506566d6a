// Package asking is a choice or a form as a person fills it in, page by page, whatever the
// front end: which options are marked, what was written, and the answer that it makes.
package asking
