/**
 * What the page gains with JavaScript: the other theme, copying commands, values under the pointer, printing with all
 * details open. Everything essential is there without it. The hash of this text stands in the page's policy.
 */
export const script = `(function(){
"use strict";
var root=document.documentElement;
root.classList.add("js");
var theme=document.getElementById("theme");
if(theme)theme.addEventListener("click",function(){
  var dark=root.dataset.theme?root.dataset.theme==="dark":matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme=dark?"light":"dark";
});
document.querySelectorAll("[data-copy]").forEach(function(button){
  button.addEventListener("click",function(){
    var code=button.parentElement.querySelector("code");
    var done=function(){button.textContent="Copied";setTimeout(function(){button.textContent="Copy"},1500)};
    if(navigator.clipboard&&navigator.clipboard.writeText)navigator.clipboard.writeText(code.textContent).then(done,select);
    else select();
    function select(){var range=document.createRange();range.selectNodeContents(code);var s=getSelection();s.removeAllRanges();s.addRange(range)}
  });
});
document.querySelectorAll("figure[data-rows]").forEach(function(figure){
  var table=document.getElementById(figure.dataset.rows);
  var readout=figure.querySelector(".readout");
  if(!table||!readout)return;
  var heads=Array.prototype.map.call(table.querySelectorAll("thead th"),function(th){return th.textContent});
  var rows=table.querySelectorAll("tbody tr");
  figure.querySelectorAll("svg[data-x]").forEach(function(svg){
    var xs=svg.dataset.x.split(" ").map(Number);
    var cursor=svg.querySelector(".cursor");
    svg.addEventListener("pointermove",function(event){
      var box=svg.getBoundingClientRect();
      var x=(event.clientX-box.left)*svg.viewBox.baseVal.width/box.width;
      var best=0;
      xs.forEach(function(value,index){if(Math.abs(value-x)<Math.abs(xs[best]-x))best=index});
      if(!rows[best])return;
      readout.textContent=Array.prototype.map.call(rows[best].children,function(cell,index){return index?heads[index]+" "+cell.textContent:cell.textContent}).join("  ·  ");
      if(cursor){cursor.setAttribute("x1",xs[best]);cursor.setAttribute("x2",xs[best]);cursor.style.visibility="visible"}
    });
    svg.addEventListener("pointerleave",function(){readout.textContent="";if(cursor)cursor.style.visibility="hidden"});
  });
});
function openTarget(){
  var target=location.hash.length>1&&document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for(var node=target;node;node=node.parentElement)if(node.tagName==="DETAILS")node.open=true;
  var inner=target&&target.tagName==="ARTICLE"&&target.querySelector("details");
  if(inner)inner.open=true;
}
addEventListener("hashchange",openTarget);openTarget();
var opened=[];
addEventListener("beforeprint",function(){opened=Array.prototype.filter.call(document.querySelectorAll("details"),function(d){return !d.open});opened.forEach(function(d){d.open=true})});
addEventListener("afterprint",function(){opened.forEach(function(d){d.open=false})});
})();`;
