// Package picture converts picture files to a form that models accept.
package picture
